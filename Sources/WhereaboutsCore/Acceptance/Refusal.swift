/// Why a fix was not used.
public enum Refusal: Hashable, Sendable, Codable {
  /// An accuracy that is negative or not a number, in metres as given: what several platforms say for "invalid".
  case invalidAccuracy
  /// It says it was made in the future, by more than a clock may be off.
  case fromTheFuture(by: Duration)
  /// A fix that may be old and does not say how old.
  case withoutTime
  /// The same fix again.
  case duplicate
  /// Older than one already used.
  case outOfOrder(by: Duration)
  /// The device can't have come there.
  case outlier(Outlier)
  /// It came although fixes may not be had: made before the refusal, most likely. Told as
  /// ``Decision/fixWithheld(madeAt:)``, which does not hold the fix.
  case unauthorized

  /// Whether it was refused for nothing but when it came.
  var isOfOrder: Bool {
    switch self {
    case .duplicate, .outOfOrder: true
    default: false
    }
  }

  /// The reason without its numbers.
  public var reason: Reason {
    switch self {
    case .invalidAccuracy: .invalidAccuracy
    case .fromTheFuture: .fromTheFuture
    case .withoutTime: .withoutTime
    case .duplicate: .duplicate
    case .outOfOrder: .outOfOrder
    case .outlier: .outlier
    case .unauthorized: .unauthorized
    }
  }

  /// A reason without its numbers, to count by.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// ``Refusal/invalidAccuracy``
    case invalidAccuracy = "invalid accuracy"
    /// ``Refusal/fromTheFuture(by:)``
    case fromTheFuture = "from the future"
    /// ``Refusal/withoutTime``
    case withoutTime = "without a time"
    /// ``Refusal/duplicate``
    case duplicate
    /// ``Refusal/outOfOrder(by:)``
    case outOfOrder = "out of order"
    /// ``Refusal/outlier(_:)``
    case outlier
    /// ``Refusal/unauthorized``
    case unauthorized
  }
}

/// How many fixes were used, and how many refused for which reason.
public struct FixTally: Hashable, Sendable {
  /// Fixes used.
  public internal(set) var accepted = 0
  /// Fixes refused, by reason. Reasons that never came up are absent.
  public internal(set) var refused: [Refusal.Reason: Int] = [:]
  /// How often a source's time went back for good and the engine followed it.
  public internal(set) var timelineRestarts = 0
  /// How often a jump was believed, because fixes agreed on it.
  public internal(set) var jumps = 0

  /// Nothing counted.
  public init() {}
}
