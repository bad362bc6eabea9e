import WhereaboutsEngine

/// A one-shot request in progress.
///
/// A request ends exactly once, whether or not a task waits; see ``RequestOutcome``. The outcome is kept, so no
/// caller misses the end. Dropping the handle does not cancel the request. Cancelling the last task that waits for
/// ``outcome`` does.
public struct LocationRequest: Sendable, Identifiable {
  /// The request's id, unique for the life of the process.
  public let id: RequestID
  let promise: Promise<RequestOutcome>
  let manager: LocationManager

  /// The outcome, as soon as the request has ended. Any number of tasks may wait.
  ///
  /// - Cancellation: a cancelled task receives ``RequestOutcome/cancelled``. If no other task waits, the request is
  ///   cancelled too and releases the receiver. Otherwise the request continues for the other tasks.
  public var outcome: RequestOutcome {
    get async {
      switch await promise.wait() {
      case .value(let outcome): return outcome
      case .cancelled(wasLast: false): return .cancelled
      case .cancelled(wasLast: true):
        cancel()
        // Wait for the result, because the request may have ended just now.
        return await promise.result
      }
    }
  }

  /// The fix that the request ended with, if any; see ``outcome``.
  public var answer: Answer? {
    get async { await outcome.answer }
  }

  /// The progress of the request, from now until its end, for a user interface.
  ///
  /// - Ends: after ``LocationRequest/Progress/ended(_:)``, which is always the last element.
  /// - Drops: a slow consumer receives the newest state only.
  /// - Cancellation: cancelling the consuming task ends the iteration, not the request.
  /// - Lifetime: the manager lives as long as the sequence is held.
  public var progress: AsyncStream<Progress> {
    let (states, follower) = AsyncStream.makeStream(
      of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    // Called and released when the sequence has ended or nobody holds it any more.
    follower.onTermination = { [manager] _ in withExtendedLifetime(manager) {} }
    let isAccepted = manager.inbox.enqueue { [id, promise] in await $0.followRequest(id, promise, follower) }
    if !isAccepted { follower.end(with: .cancelled) }
    return states
  }

  /// Ends the request now with the best fix so far. No effect after the end.
  public func completeNow() {
    manager.inbox.enqueue(.completeNow(id))
  }

  /// Cancels the request without a fix. No effect after the end.
  public func cancel() {
    manager.inbox.enqueue(.cancel(id))
  }
}
