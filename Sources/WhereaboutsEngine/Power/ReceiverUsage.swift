public import WhereaboutsModel

/// A period with one demand on the source, the same users and the same reason: the unit of a power ledger.
///
/// The usages of a run follow one another; the gaps between them are times without demand. Durations are measured on
/// the clock of the run, so a stepped wall clock neither adds nor loses any. Only ``began`` depends on the wall
/// clock.
public struct ReceiverUsage: Hashable, Sendable, Codable {
  /// The number of the usage, from 1; grows by one from usage to usage of a device.
  public var number: UInt64
  /// The beginning, by the wall clock as it is now, or by the time of fixes where there is no wall clock; `nil` where
  /// unknown.
  public var began: UTCTime?
  /// The duration, up to now where the usage is open.
  public var duration: Duration
  /// The demand on the source; never `Demand/off`.
  public var demand: Demand
  /// The users that needed the receiver.
  public var users: ReceiverUsers
  /// The name of the power preset in force.
  public var preset: String
  /// The reason for this demand.
  public var reason: PowerDecision.Reason
  /// Whether the usage had not ended when this was written.
  public var isOpen: Bool

  /// Creates a usage.
  public init(
    number: UInt64, began: UTCTime?, duration: Duration, demand: Demand, users: ReceiverUsers, preset: String,
    reason: PowerDecision.Reason, isOpen: Bool
  ) {
    self.number = number
    self.began = began
    self.duration = duration
    self.demand = demand
    self.users = users
    self.preset = preset
    self.reason = reason
    self.isOpen = isOpen
  }

  /// The end, or the latest time of an open usage; `nil` where the time is unknown.
  public var end: UTCTime? { began?.advanced(by: duration) }
}

/// A set of the kinds of users that may need the source; several may need it at once.
public struct ReceiverUsers: OptionSet, Hashable, Sendable, Codable {
  /// A bit for each kind.
  public let rawValue: UInt8
  /// Creates the kinds of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One-shot requests.
  public static let requests = ReceiverUsers(rawValue: 1)
  /// Subscriptions of every kind but trackers.
  public static let subscriptions = ReceiverUsers(rawValue: 2)
  /// Trackers.
  public static let trackers = ReceiverUsers(rawValue: 4)
  /// Fences.
  public static let fences = ReceiverUsers(rawValue: 8)

  /// Each kind with its name.
  public static let named: [(name: String, users: ReceiverUsers)] = [
    ("requests", .requests), ("subscriptions", .subscriptions), ("trackers", .trackers), ("fences", .fences),
  ]
}
