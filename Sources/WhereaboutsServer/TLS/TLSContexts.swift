import NIOSSL
import Synchronization

/// The TLS context of new connections. It is replaced when the files change.
final class TLSContexts: Sendable {
  private struct State {
    var files: ServerSettings.TLSFiles
    /// The last pair that was tried, also in vain, or why it could not be read.
    var tried: Result<TLSPair, TLSPairError>
    var context: NIOSSLContext
    /// The time of the last log entry for HTTP without TLS.
    var plainHTTPReport: ContinuousClock.Instant?
  }

  private let state: Mutex<State>

  /// Loads the files.
  ///
  /// - Throws: ``ServerError`` if they can't be used.
  init(_ files: ServerSettings.TLSFiles) throws(ServerError) {
    do throws(TLSPairError) {
      let pair = try TLSPair(files), context = try pair.context()
      state = Mutex(State(files: files, tried: .success(pair), context: context))
    } catch {
      throw ServerError("\(error.setting.rawValue): \(error.text)")
    }
  }

  /// The context for a new connection.
  var current: NIOSSLContext { state.withLock { $0.context } }

  /// Returns whether to log HTTP without TLS now: once a minute, since a phone tries again and again.
  func claimPlainHTTPReport() -> Bool {
    let now = ContinuousClock.now
    return state.withLock { state in
      if let last = state.plainHTTPReport, now - last < .seconds(60) { return false }
      state.plainHTTPReport = now
      return true
    }
  }

  /// Loads the files again if their contents have changed since the last time. An open connection retains its context.
  ///
  /// - Parameter files: the files from now on; `nil` for the same ones.
  /// - Returns: whether new connections use another context.
  /// - Throws: a reason to retain the context, also if a file can't be read. It is not thrown again until the contents
  ///   or the reason change.
  func reload(_ files: ServerSettings.TLSFiles? = nil) throws(TLSPairError) -> Bool {
    let files = files ?? state.withLock { $0.files }
    let tried: Result<TLSPair, TLSPairError>
    do throws(TLSPairError) { tried = .success(try TLSPair(files)) } catch { tried = .failure(error) }
    let isNew = state.withLock { state in
      defer { state.tried = tried }
      state.files = files
      return state.tried != tried
    }
    guard isNew else { return false }
    let context = try tried.get().context()
    state.withLock { $0.context = context }
    return true
  }
}
