/// The reason why a fix was not used.
public enum Refusal: Hashable, Sendable, Codable {
  /// The accuracy is negative or not a number, in metres as given; several platforms mark an invalid fix so.
  case invalidAccuracy
  /// The fix claims a time in the future, by more than a clock may be off.
  case fromTheFuture(by: Duration)
  /// The fix may be old and does not state its time.
  case withoutTime
  /// The fix repeats an earlier one.
  case duplicate
  /// The fix is older than one already used.
  case outOfOrder(by: Duration)
  /// The device can't have reached the place of the fix.
  case outlier(Outlier)
  /// The fix arrived without authorization: made before the refusal, most likely. Reported as
  /// ``Decision/fixWithheld(madeAt:)``, which does not hold the fix.
  case unauthorized

  /// Whether the fix was refused for its order alone.
  package var isDueToOrder: Bool {
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

  /// A reason without its numbers, for counting.
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

/// The number of fixes used, and of those refused by reason.
public struct FixCounts: Hashable, Sendable {
  /// The number of fixes used.
  public package(set) var accepted = 0
  /// The number of fixes refused, by reason. Reasons that never occurred are absent.
  public package(set) var refused: [Refusal.Reason: Int] = [:]
  /// The number of times a source's time went back for good, or its date was corrected, and the engine followed it.
  public package(set) var timelineRestarts = 0
  /// The number of jumps that were accepted, because fixes agreed on them.
  public package(set) var jumps = 0

  /// Creates counts of zero.
  public init() {}
}
