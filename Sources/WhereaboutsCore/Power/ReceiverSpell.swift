/// A time for which one thing was asked of the source, for the same who needed it and for the same reason: what a ledger
/// of the receiver is made of.
///
/// Spells of a run follow one another and leave out only when nothing was asked. Their durations are measured on the
/// clock of the run, so that a stepped wall clock neither makes nor loses any; only where in the day they are goes by it.
public struct ReceiverSpell: Hashable, Sendable, Codable {
  /// From 1; grows by one from spell to spell of a device.
  public var number: UInt64
  /// When it began, by the wall clock as it is now, or by the time of fixes where there is none; `nil` where nobody has
  /// known it.
  public var began: UTCTime?
  /// How long it lasted, or has lasted.
  public var duration: Duration
  /// What was asked of the source; never ``Demand/off``.
  public var demand: Demand
  /// Who needed it.
  public var users: ReceiverUsers
  /// The name of the power preset in force.
  public var preset: String
  /// Why that was asked, and not more.
  public var reason: PowerDecision.Reason
  /// Whether it had not ended when this was written.
  public var isOpen: Bool

  /// A spell.
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

  /// When it ended, or until when it had lasted; `nil` where nobody has known the time.
  public var end: UTCTime? { began?.advanced(by: duration) }
}

/// Kinds of those who may need something of the source; several may at once.
public struct ReceiverUsers: OptionSet, Hashable, Sendable, Codable {
  /// A bit for each kind.
  public let rawValue: UInt8
  /// The kinds of these bits.
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
