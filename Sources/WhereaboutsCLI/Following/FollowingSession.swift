import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

/// A run of a command that follows: it ends by itself, or with Ctrl-C, and is summed up.
struct FollowingSession {
  /// How it ended by itself.
  struct End: Sendable {
    /// How many lines were shown.
    var shown = 0
    /// Why it did not do what was asked of it.
    var failure: CommandFailure?
  }

  let manager: LocationManager
  /// What a line shows, one and many; `nil` where lines are not worth counting.
  let noun: (one: String, many: String)?
  /// What Ctrl-C does in place of cancelling what runs, so that it comes to its end with all that there is.
  var stop: (@Sendable () async -> Void)?
  /// Where what comes is kept, if it is: sent from there to its endpoints meanwhile, and closed in the end.
  var store: OpenStore?
  /// How long it runs at most, by the clock on the wall: a reader who does not read can't keep it longer. `nil` for a
  /// recording, which waits for its reader.
  var duration: Duration?

  /// Runs it to its end.
  ///
  /// - Throws: the failure it ended with, or that not everything is saved. Ctrl-C is a way to end it like any other.
  func run(_ body: @escaping @Sendable () async -> End) async throws {
    let start = ContinuousClock.now
    let interruption = try Interruption()
    if let duration { interruption.limit(to: duration) }
    let voice = StoreVoice()
    let watching = Task { [manager] in await voice.listen(to: manager) }
    let sending = store.map { store in Task { await Sending(store: store).run() } }
    let following = Task { await body() }
    let listening = Task { [events = interruption.events, stop] in
      for await _ in events {
        if let stop { await stop() } else { following.cancel() }
        return true
      }
      return false
    }
    let end = await following.value
    interruption.end()
    let isInterrupted = await listening.value
    if isInterrupted || System.isTerminal(System.standardError) {
      let text = TallyText(
        tally: await manager.tally(), shown: noun.map { Quantities.count(end.shown, $0.one, $0.many) },
        elapsed: start.duration(to: .now), isInterrupted: isInterrupted)
      StandardError.say("\(text.line)")
    }
    watching.cancel()
    await watching.value
    sending?.cancel()
    await sending?.value
    await voice.take(await manager.keep())
    store?.base.close()
    // What is lost is worth more than what was not shown.
    if let failure = await voice.end { throw failure }
    if let failure = end.failure, !isInterrupted { throw failure }
  }
}

extension FollowingSession.End {
  /// Runs something that writes lines, and says how it ended.
  ///
  /// - Parameter none: what to say where it ended without a line.
  static func of(
    limit: Int?, none: String, _ body: (inout LiveLines) async throws -> Void
  ) async -> FollowingSession.End {
    var end = FollowingSession.End()
    do {
      var lines = try LiveLines(limit: limit)
      defer { end.shown = lines.count }
      try await body(&lines)
      if lines.count == 0, !lines.isReaderGone { throw CommandFailure(none) }
    } catch let failure as CommandFailure {
      end.failure = failure
    } catch {
      end.failure = CommandFailure("\(error)")
    }
    return end
  }
}
