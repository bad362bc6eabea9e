import WhereaboutsEngine
import WhereaboutsModel

/// The columns of a receiver usage.
enum ReceiverUsageRow {
  private static let names = [
    "device", "number", "began", "duration", "open", "fixes", "accuracy", "filter", "interval", "activity",
    "headings", "requests", "subscriptions", "trackers", "fences", "preset", "reason",
  ]

  static let insert = """
    INSERT OR REPLACE INTO receiver_usage (\(names.joined(separator: ", "))) \
    VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
    """

  /// The columns that ``usage(of:)`` reads, in order.
  static let selected = names.dropFirst().joined(separator: ", ")

  static func bind(_ usage: ReceiverUsage, device: Int64, to statement: Statement) {
    statement.bind(device, 1)
    statement.bind(Int64(clamping: usage.number), 2)
    statement.bind(usage.began?.nanosecondsSince1970, 3)
    statement.bind(usage.duration.clampedNanoseconds, 4)
    statement.bind(Int64(usage.isOpen ? 1 : 0), 5)
    var wanted: Demand.Continuous?
    switch usage.demand.fixes {
    case .off: statement.bind("off", 6)
    case .significantChanges: statement.bind("significant changes", 6)
    case .continuous(let fixes):
      wanted = fixes
      statement.bind("continuous", 6)
    }
    statement.bind(wanted?.accuracy, 7)
    statement.bind(wanted?.distanceFilter, 8)
    statement.bind(wanted?.interval.clampedNanoseconds, 9)
    statement.bind(wanted?.activity.rawValue, 10)
    statement.bind(usage.demand.headings?.filter, 11)
    for (place, kind) in ReceiverUsers.named.enumerated() {
      statement.bind(Int64(usage.users.contains(kind.users) ? 1 : 0), 12 + Int32(place))
    }
    statement.bind(usage.preset, 16)
    statement.bind(usage.reason.rawValue, 17)
  }

  /// Decodes a row of ``selected``.
  static func usage(of row: Statement) -> ReceiverUsage {
    var fixes = Demand.Fixes.off
    switch row.text(4) {
    case "significant changes": fixes = .significantChanges
    case "continuous":
      fixes = .continuous(
        Demand.Continuous(
          accuracy: row.double(5), distanceFilter: row.double(6), interval: .nanoseconds(row.int(7)),
          activity: Activity(rawValue: row.text(8)) ?? .other))
    default: break
    }
    var users: ReceiverUsers = []
    for (place, kind) in ReceiverUsers.named.enumerated() where row.int(10 + Int32(place)) != 0 {
      users.formUnion(kind.users)
    }
    return ReceiverUsage(
      number: UInt64(clamping: row.int(0)),
      began: row.optionalInt(1).map(UTCTime.init(nanosecondsSince1970:)),
      duration: .nanoseconds(row.int(2)),
      demand: Demand(fixes: fixes, headings: row.optionalDouble(9).map { Demand.Headings(filter: $0) }),
      users: users, preset: row.text(14), reason: PowerDecision.Reason(rawValue: row.text(15)) ?? .asAsked,
      isOpen: row.int(3) != 0)
  }
}
