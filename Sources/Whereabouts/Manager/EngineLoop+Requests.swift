import WhereaboutsEngine
import WhereaboutsModel

/// The loop's handling of requests: resolves their promises, and reports their progress.
extension EngineLoop {
  /// Begins a request.
  mutating func request(_ id: RequestID, _ terms: RequestTerms, _ promise: Promise<RequestOutcome>) async {
    requestPromises[id] = promise
    await handle(.request(id, terms))
  }

  /// Ends a request with its outcome.
  mutating func finish(_ id: RequestID, _ outcome: RequestOutcome) async {
    guard let promise = requestPromises.removeValue(forKey: id) else {
      preconditionFailure("request \(id.number) ended twice, or without having been made")
    }
    await promise.fulfil(outcome)
    guard let ended = progressObservers.removeValue(forKey: id) else { return }
    for follower in ended { follower.end(with: outcome) }
  }

  /// Reports the progress of a request from now on.
  mutating func followRequest(
    _ id: RequestID, _ promise: Promise<RequestOutcome>,
    _ follower: AsyncStream<LocationRequest.Progress>.Continuation
  ) async {
    guard requestPromises[id] != nil else {
      // The request has ended, so its outcome is set.
      follower.end(with: await promise.result)
      return
    }
    follower.yield(.searching)
    // Earlier followers know the progress; only the new follower is notified now.
    var all = progressObservers.updateValue([follower], forKey: id) ?? []
    await handle(.follow(id))
    guard let newcomer = progressObservers.removeValue(forKey: id) else {
      // This same input ended the request.
      let outcome = await promise.result
      for other in all { other.end(with: outcome) }
      return
    }
    all.append(contentsOf: newcomer)
    progressObservers[id] = all
  }

  /// Reports a better fix to the followers of a request.
  mutating func reportProgress(of id: RequestID, _ answer: Answer) {
    progressObservers[id]?.removeAll {
      if case .terminated = $0.yield(.found(answer)) { true } else { false }
    }
  }
}
