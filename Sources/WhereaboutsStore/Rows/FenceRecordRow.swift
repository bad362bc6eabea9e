import Foundation
import WhereaboutsModel
package import Whereabouts
import WhereaboutsGeodesy

/// The columns of a fence record.
///
/// The columns are flat, for queries by people and to spare a crossing the JSON. A record that the columns can't hold
/// exactly (no engine makes one today) is also stored as JSON in `exact`.
package enum FenceRecordRow {
  /// The kind of a row.
  enum Kind: String {
    case event, revised, withdrawn, removed, decided
  }

  static let eventDeclarations = [
    "device INTEGER NOT NULL", "number INTEGER NOT NULL", "type TEXT NOT NULL", "event INTEGER", "fence TEXT",
    "kind TEXT", "manner TEXT", "time INTEGER", "time_unc REAL", "last_before INTEGER", "first_after INTEGER",
    "place_lat REAL", "place_lon REAL", "confidence REAL", "decided INTEGER", "pending INTEGER",
    "reason TEXT",
    "exact TEXT", "fix_time INTEGER",
  ]

  /// The columns of the fix that decided the event, all nullable.
  static let fixDeclarations = FixColumns.declarations.map {
    "fix_" + $0.replacingOccurrences(of: " NOT NULL", with: "")
  }

  static let declarations = eventDeclarations + fixDeclarations
  static let names = declarations.map { String($0.prefix { $0 != " " }) }

  static let insert = """
    INSERT INTO fence_record (\(names.joined(separator: ", "))) \
    VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT DO NOTHING
    """

  /// The columns that ``record(of:)`` reads, in order.
  package static let selected = names.dropFirst().joined(separator: ", ")

  /// The number of columns of ``selected``.
  static let columnCount = Int32(names.count - 1)

  private static let firstFixColumn = Int32(eventDeclarations.count)

  // MARK: Writing

  static func bind(_ numbered: NumberedFenceRecord, device: Int64, exact: String?, to statement: Statement) {
    statement.bind(device, 1)
    statement.bind(Int64(clamping: numbered.number), 2)
    statement.bind(exact, 18)
    switch numbered.record {
    case .event(let event): bind(.event, event.id, event, to: statement)
    case .revised(let id, let event?): bind(.revised, id, event, to: statement)
    case .revised(let id, nil): bind(.withdrawn, id, nil, to: statement)
    case .removed(let fence, let end):
      bind(.removed, nil, nil, to: statement)
      statement.bind(fence.name, 5)
      statement.bind(end.rawValue, 17)
    case .decided: bind(.decided, nil, nil, to: statement)
    }
  }

  private static func bind(_ what: Kind, _ id: FenceEvent.ID?, _ event: FenceEvent?, to statement: Statement)
  {
    statement.bind(what.rawValue, 3)
    statement.bind(id.map { Int64(clamping: $0.number) }, 4)
    statement.bind(event?.fence.name, 5)
    statement.bind(event?.kind.rawValue, 6)
    statement.bind(event?.manner.rawValue, 7)
    statement.bind(event?.time.nanosecondsSince1970, 8)
    statement.bind(event?.timeUncertainty, 9)
    statement.bind(event?.lastBefore?.nanosecondsSince1970, 10)
    statement.bind(event?.firstAfter.nanosecondsSince1970, 11)
    statement.bind(event?.place.latitude, 12)
    statement.bind(event?.place.longitude, 13)
    statement.bind(event?.confidence, 14)
    statement.bind(event?.decided.nanosecondsSince1970, 15)
    statement.bind(event?.pending.clampedNanoseconds, 16)
    statement.bind(nil as String?, 17)
    statement.bind(event?.decidedBy.time?.nanosecondsSince1970, 19)
    if let event {
      FixColumns.bind(event.decidedBy, to: statement, from: firstFixColumn + 1)
    } else {
      for column in 0..<FixColumns.count { statement.bind(nil as Int64?, firstFixColumn + 1 + column) }
    }
  }

  /// Returns whether the columns lose a part of the record.
  static func needsExact(_ record: FenceRecord) -> Bool {
    switch record {
    case .event(let event): return needsExact(event)
    case .revised(let id, let event?): return id != event.id || needsExact(event)
    case .revised(_, nil), .removed: return false
    case .decided: return true
    }
  }

  private static func needsExact(_ event: FenceEvent) -> Bool {
    event.pending != .nanoseconds(event.pending.clampedNanoseconds)
      || ExactNumbers.isLossy(event.timeUncertainty) || ExactNumbers.isLossy(event.confidence)
      || ExactNumbers.isLossy(event.place.latitude) || ExactNumbers.isLossy(event.place.longitude)
  }

  // MARK: Reading

  /// Decodes a row of ``selected``.
  package static func record(of statement: Statement) throws -> NumberedFenceRecord {
    let number = UInt64(clamping: statement.int(0))
    if let exact = statement.optionalText(16) {
      return NumberedFenceRecord(number: number, record: try StoreJSON.decode(FenceRecord.self, from: exact))
    }
    let id = FenceEvent.ID(UInt64(clamping: statement.int(2)))
    switch Kind(rawValue: statement.text(1)) {
    case .event: return NumberedFenceRecord(number: number, record: .event(try event(id, of: statement)))
    case .revised:
      return NumberedFenceRecord(number: number, record: .revised(id, try event(id, of: statement)))
    case .withdrawn: return NumberedFenceRecord(number: number, record: .revised(id, nil))
    case .removed:
      guard let end = FenceRecord.RemovalReason(rawValue: statement.text(15)) else { break }
      return NumberedFenceRecord(number: number, record: .removed(FenceID(statement.text(3)), because: end))
    case .decided, nil: break
    }
    throw UnreadableRowError(message: "record \(number) is of a kind that is not known")
  }

  private static func event(_ id: FenceEvent.ID, of statement: Statement) throws -> FenceEvent {
    func time(_ column: Int32) -> UTCTime? {
      statement.optionalInt(column).map(UTCTime.init(nanosecondsSince1970:))
    }
    guard let kind = FenceEvent.Kind(rawValue: statement.text(4)),
      let manner = FenceEvent.Manner(rawValue: statement.text(5)),
      let happened = time(6), let after = time(9), let decided = time(13),
      let place = Coordinate(latitude: statement.double(10), longitude: statement.double(11))
    else { throw UnreadableRowError(message: "event \(id.number) is of a kind that is not known") }
    // One less than the parameter number: the device is not selected.
    let fix = try FixColumns.fix(of: statement, from: firstFixColumn - 1, time: time(firstFixColumn - 2))
    return FenceEvent(
      id: id, fence: FenceID(statement.text(3)), kind: kind, manner: manner, time: happened,
      timeUncertainty: statement.double(7), lastBefore: time(8), firstAfter: after, place: place,
      confidence: statement.double(12), decidedBy: fix, decided: decided,
      pending: .nanoseconds(statement.int(14)))
  }
}
