/// Names one request for the life of the process.
public struct RequestID: Hashable, Sendable, Codable, Comparable {
  /// The number of the request.
  public let number: UInt64
  /// The request of that number.
  public init(_ number: UInt64) { self.number = number }
  /// Which was made first.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// From when on a request's timeout counts.
public enum TimeoutStart: String, Hashable, Sendable, Codable {
  /// From the moment the request is made.
  case whenRequested = "when requested"
  /// From the moment the person has allowed fixes; at once where that is settled already.
  case whenAuthorized = "when authorized"
}

/// What a one-shot request asks for.
public struct RequestTerms: Hashable, Sendable, Codable {
  /// How good a fix must be to answer.
  public var level: AccuracyLevel
  /// How long to wait for one; `nil` waits for ever.
  public var timeout: Duration?
  /// From when on ``timeout`` counts.
  public var timeoutStarts: TimeoutStart
  /// How long fixes must have stopped improving to end the request with the best of them; `nil` waits for the level.
  /// It takes a fix that says so: silence ends nothing.
  public var settle: Duration?
  /// How the device is being carried.
  public var activity: Activity

  /// Terms of a request.
  public init(
    level: AccuracyLevel, timeout: Duration?, timeoutStarts: TimeoutStart = .whenRequested,
    settle: Duration? = nil,
    activity: Activity = .other
  ) {
    self.level = level
    self.timeout = timeout
    self.timeoutStarts = timeoutStarts
    self.settle = settle
    self.activity = activity
  }
}

/// A fix given as an answer.
public struct Answer: Hashable, Sendable, Codable {
  /// The fix.
  public var fix: Fix
  /// How old it was when it was given.
  public var age: Duration
  /// The most demanding standard level that its accuracy and age reach; `nil` where not even city is.
  public var level: AccuracyLevel?

  /// A fix that was of an age when it was given.
  public init(fix: Fix, age: Duration, level: AccuracyLevel?) {
    self.fix = fix
    self.age = age
    self.level = level
  }
}

/// How a request ended. Every request ends exactly once.
public enum RequestOutcome: Hashable, Sendable, Codable {
  /// A fix as good as asked for.
  case reached(Answer)
  /// Fixes had stopped improving for as long as was asked for; the best of them.
  case settled(Answer)
  /// The time was up; the best fix there was, if any.
  case timedOut(best: Answer?)
  /// Fixes may not be had: refused, or still not decided when the time was up. Nothing known is given away.
  case unauthorized(Authorization)
  /// The caller wanted what there was; the best fix there was, if any.
  case completedEarly(best: Answer?)
  /// The caller did not want it any more.
  case cancelled
  /// The source gave up; the best fix there was, if any.
  case sourceFailed(SourceTrouble, best: Answer?)
  /// The recording was over before a fix was good enough; the best fix there was, if any.
  case sourceEnded(best: Answer?)

  /// The fix in it, whatever the outcome.
  public var answer: Answer? {
    switch self {
    case .reached(let answer), .settled(let answer): answer
    case .timedOut(let best), .completedEarly(let best), .sourceFailed(_, let best), .sourceEnded(let best):
      best
    case .cancelled, .unauthorized: nil
    }
  }
}
