import Dispatch

/// Ctrl-C as an event instead of the end of the process: once. Pressed again, it ends the process.
final class Interruption {
  /// Gives one element when it happens, and ends then or with ``end()``.
  let events: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let source: any DispatchSourceRead

  /// Begins to listen: from here on no Ctrl-C is missed.
  init() throws(CommandFailure) {
    (events, continuation) = AsyncStream.makeStream(of: Void.self)
    let descriptor: Int32
    do { descriptor = try System.beginInterrupts() } catch {
      throw CommandFailure("could not listen to Ctrl-C: \(error.reason)")
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { [continuation] in
      System.takeInterrupt(descriptor)
      System.hurryOutput()
      continuation.yield()
      continuation.finish()
    }
    source.setCancelHandler { System.endInterrupts(descriptor) }
    source.resume()
  }

  /// Does not let a reader who does not read keep the process longer than this, give or take a second.
  func limit(to duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let time = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18 + 1
    DispatchQueue.global().asyncAfter(deadline: time) { System.hurryOutput() }
  }

  /// Listens no more.
  func end() {
    source.cancel()
    continuation.finish()
  }
}
