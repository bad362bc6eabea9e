extension LocationRequest {
  /// The progress of a one-shot request.
  public enum Progress: Hashable, Sendable {
    /// The request waits, and no fix has arrived.
    case searching
    /// The request waits with a best fix so far: the first, or a better one than before.
    case found(Answer)
    /// The request has ended.
    case ended(RequestOutcome)
  }
}

extension AsyncStream<LocationRequest.Progress>.Continuation {
  /// Sends the outcome and finishes.
  func end(with outcome: RequestOutcome) {
    yield(.ended(outcome))
    finish()
  }
}
