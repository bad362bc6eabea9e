import Dispatch

/// Ctrl-C as an event instead of the end of the process: once. Pressed again, it ends the process.
final class Interruption {
  /// Gives one element when it happens, and ends then or with ``end()``.
  let events: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let source: any DispatchSourceSignal

  /// Begins to listen.
  init() {
    (events, continuation) = AsyncStream.makeStream(of: Void.self)
    System.ignoreInterrupts()
    source = DispatchSource.makeSignalSource(signal: System.interrupt, queue: .global())
    source.setEventHandler { [continuation] in
      System.restoreInterrupts()
      continuation.yield()
      continuation.finish()
    }
    source.resume()
  }

  /// Listens no more.
  func end() {
    source.cancel()
    System.restoreInterrupts()
    continuation.finish()
  }
}
