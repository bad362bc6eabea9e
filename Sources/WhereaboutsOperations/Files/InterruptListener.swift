import Dispatch

/// A listener that turns the first Ctrl-C or SIGTERM into an event. A second Ctrl-C, a quarter of a second later or more,
/// ends the process.
package final class InterruptListener {
  /// The cause of an interrupt.
  package enum Cause: Sendable {
    case controlC
    /// SIGTERM, as of `kill`, `timeout` and a service manager.
    case termination
  }

  /// A stream of one element for the interrupt. The stream finishes after the interrupt or with ``end()``.
  package let events: AsyncStream<Cause>
  private let continuation: AsyncStream<Cause>.Continuation
  private let source: any DispatchSourceRead

  /// Starts to listen. No later interrupt is lost.
  package init() throws(CommandError) {
    (events, continuation) = AsyncStream.makeStream(of: Cause.self)
    let descriptor: Int32
    do { descriptor = try System.beginInterrupts() } catch {
      throw CommandError("could not handle Ctrl-C: \(error.reason)")
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { [continuation] in
      let isTermination = System.consumeInterrupt(descriptor)
      System.limitOutputWait()
      continuation.yield(isTermination ? .termination : .controlC)
      continuation.finish()
    }
    source.setCancelHandler { System.endInterrupts(descriptor) }
    source.resume()
  }

  /// Limits the time that a stalled reader of the output can delay the process, to within about a second.
  func limitOutputTime(to duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let time = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18 + 1
    DispatchQueue.global().asyncAfter(deadline: time) { System.limitOutputWait() }
  }

  /// Stops listening.
  package func end() {
    source.cancel()
    continuation.finish()
  }
}
