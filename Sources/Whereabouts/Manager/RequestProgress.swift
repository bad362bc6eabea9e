/// How a one-shot request gets on.
public enum RequestProgress: Hashable, Sendable {
  /// It waits, and there has been no fix at all.
  case searching
  /// It waits, and would now end with this: the first fix there was, or a better one than before.
  case found(Answer)
  /// It has ended.
  case ended(RequestOutcome)
}

extension AsyncStream<RequestProgress>.Continuation {
  /// Says how it ended, and that nothing more will come.
  func end(with outcome: RequestOutcome) {
    yield(.ended(outcome))
    finish()
  }
}
