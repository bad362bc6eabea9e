/// The identifier of one request, unique for the life of the process.
public struct RequestID: Hashable, Sendable, Codable, Comparable {
  /// The number of the request.
  public let number: UInt64
  /// Creates the identifier of that number.
  public init(_ number: UInt64) { self.number = number }
  /// Returns whether the left request was made first.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The terms of a one-shot request.
public struct RequestTerms: Hashable, Sendable, Codable {
  /// The quality that a fix needs to answer.
  public var level: AccuracyLevel
  /// The time to wait for a fix; `nil` for ever. With zero or less, a known fix alone can answer.
  public var timeout: Duration?
  /// The start of ``timeout``.
  public var timeoutStarts: TimeoutStart
  /// The time without improvement after which the best fix ends the request; `nil` waits for the level. Only a fix
  /// can end the request so: silence ends nothing.
  public var settle: Duration?
  /// The way in which the device is carried.
  public var activity: Activity

  /// Creates the terms of a request.
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

extension RequestTerms {
  /// The start of a request's timeout.
  public enum TimeoutStart: String, Hashable, Sendable, Codable {
    /// The moment the request is made.
    case whenRequested = "when requested"
    /// The moment the user has allowed fixes; at once where the authorization is settled already. While nobody answers,
    /// the request waits without limit.
    case whenAuthorized = "when authorized"
  }
}

/// A fix given as an answer.
public struct Answer: Hashable, Sendable, Codable {
  /// The fix.
  public var fix: Fix
  /// The age of the fix when the answer was given.
  public var age: Duration
  /// The most demanding standard level that its accuracy and age reach; `nil` where not even city is.
  public var level: AccuracyLevel?

  /// Creates an answer from a fix, its age and its level.
  public init(fix: Fix, age: Duration, level: AccuracyLevel?) {
    self.fix = fix
    self.age = age
    self.level = level
  }
}

/// The outcome of a request. Every request ends exactly once.
///
/// The best fix is that of this process. The stored fix of an earlier process can reach a level, and is no best fix.
public enum RequestOutcome: Hashable, Sendable, Codable {
  /// A fix reached the requested level.
  case reached(Answer)
  /// Fixes had stopped improving for the requested time; the best of them.
  case settled(Answer)
  /// The timeout passed; the best fix, if any.
  case timedOut(best: Answer?)
  /// Fixes are not allowed: refused, or still undetermined at the timeout or at the early completion. No known fix is
  /// given.
  case unauthorized(Authorization)
  /// The caller asked for the best fix so far, if any.
  case completedEarly(best: Answer?)
  /// The caller cancelled the request, or the manager ended.
  case cancelled
  /// The source gave up; the best fix, if any.
  case sourceFailed(SourceProblem, best: Answer?)
  /// The recording ended before a fix was good enough; the best fix, if any.
  case sourceEnded(best: Answer?)

  /// The answer in the outcome; `nil` if the outcome has none.
  public var answer: Answer? {
    switch self {
    case .reached(let answer), .settled(let answer): answer
    case .timedOut(let best), .completedEarly(let best), .sourceFailed(_, let best), .sourceEnded(let best):
      best
    case .cancelled, .unauthorized: nil
    }
  }
}
