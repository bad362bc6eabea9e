/// A one-shot request under way.
///
/// The request goes on whether or not anybody waits for it, and ends exactly once: see ``RequestOutcome``. Its
/// outcome is kept, so it is never missed. Dropping the handle does not cancel it; cancelling the last task that waits for
/// its outcome does.
public struct LocationRequest: Sendable, Identifiable {
  /// Its id, unique for the life of the process.
  public let id: RequestID
  let promise: Promise<RequestOutcome>
  let manager: LocationManager

  /// How it ended, as soon as it has; any number of tasks may wait.
  ///
  /// - Cancellation: a waiting task that is cancelled gets ``RequestOutcome/cancelled``. Where no other task waits for the
  ///   outcome the request is cancelled too, so that the receiver does not stay on for nobody; else it goes on for those.
  public var outcome: RequestOutcome {
    get async {
      switch await promise.wait() {
      case .value(let outcome): return outcome
      case .cancelled(wasLast: false): return .cancelled
      case .cancelled(wasLast: true):
        cancel()
        // What comes first: it may have ended just now.
        return await promise.result
      }
    }
  }

  /// The fix it ended with, if any; see ``outcome`` for how it ended.
  public var answer: Answer? {
    get async { await outcome.answer }
  }

  /// How it gets on, for whoever shows it to a person: from now until its end.
  ///
  /// - Ends: after ``RequestProgress/ended(_:)``, which always comes last.
  /// - Drops: whoever is behind sees the newest state only.
  /// - Cancellation: cancelling the consuming task ends the iteration, not the request.
  public var progress: AsyncStream<RequestProgress> {
    let (states, follower) = AsyncStream.makeStream(
      of: RequestProgress.self, bufferingPolicy: .bufferingNewest(1))
    if !manager.inbox.put(.follow(id, promise, follower)) { follower.end(with: .cancelled) }
    return states
  }

  /// Ends it now with the best fix so far. No effect once it has ended.
  public func completeNow() {
    manager.inbox.put(.input(.completeNow(id)))
  }

  /// Ends it now, without a fix. No effect once it has ended.
  public func cancel() {
    manager.inbox.put(.input(.cancel(id)))
  }
}
