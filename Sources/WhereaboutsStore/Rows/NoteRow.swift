import Foundation
import Whereabouts
import WhereaboutsCore
import WhereaboutsGeodesy

/// The columns of something that was told of fences.
///
/// Flat, so that people can ask for them and so that a crossing costs no JSON. What the columns can't hold exactly
/// (which no engine tells today) is in `exact` as JSON besides.
enum NoteRow {
  /// What a row is.
  enum What: String {
    case event, revised, withdrawn, removed, decided
  }

  static let eventDeclarations = [
    "device INTEGER NOT NULL", "number INTEGER NOT NULL", "what TEXT NOT NULL", "event INTEGER", "fence TEXT",
    "kind TEXT", "manner TEXT", "time INTEGER", "time_unc REAL", "last_before INTEGER", "first_after INTEGER",
    "place_lat REAL", "place_lon REAL", "confidence REAL", "decided INTEGER", "pending INTEGER",
    "reason TEXT",
    "exact TEXT", "fix_time INTEGER",
  ]

  /// The fix that settled it, or nothing at all.
  static let fixDeclarations = FixColumns.declarations.map {
    "fix_" + $0.replacingOccurrences(of: " NOT NULL", with: "")
  }

  static let declarations = eventDeclarations + fixDeclarations
  static let names = declarations.map { String($0.prefix { $0 != " " }) }

  static let insert = """
    INSERT INTO note (\(names.joined(separator: ", "))) \
    VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT DO NOTHING
    """

  /// What ``note(of:)`` reads, in its order.
  static let selected = names.dropFirst().joined(separator: ", ")

  private static let firstOfFix = Int32(eventDeclarations.count)

  // MARK: Writing

  static func bind(_ numbered: NumberedNote, device: Int64, exact: String?, to statement: Statement) {
    statement.bind(device, 1)
    statement.bind(Int64(clamping: numbered.number), 2)
    statement.bind(exact, 18)
    switch numbered.note {
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

  private static func bind(_ what: What, _ id: FenceEvent.ID?, _ event: FenceEvent?, to statement: Statement)
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
      FixColumns.bind(event.decidedBy, to: statement, from: firstOfFix + 1)
    } else {
      for column in 0..<FixColumns.count { statement.bind(nil as Int64?, firstOfFix + 1 + column) }
    }
  }

  /// Whether the columns lose something of it.
  static func needsExact(_ note: FenceNote) -> Bool {
    switch note {
    case .event(let event): return needsExact(event)
    case .revised(let id, let event?): return id != event.id || needsExact(event)
    case .revised(_, nil), .removed: return false
    case .decided: return true
    }
  }

  private static func needsExact(_ event: FenceEvent) -> Bool {
    event.pending != .nanoseconds(event.pending.clampedNanoseconds)
      || ExactNumbers.isOdd(event.timeUncertainty) || ExactNumbers.isOdd(event.confidence)
      || ExactNumbers.isOdd(event.place.latitude) || ExactNumbers.isOdd(event.place.longitude)
  }

  // MARK: Reading

  /// Reads a row of ``selected``.
  static func note(of statement: Statement) throws -> NumberedNote {
    let number = UInt64(clamping: statement.int(0))
    if let exact = statement.optionalText(16) {
      return NumberedNote(number: number, note: try StoreJSON.decode(FenceNote.self, from: exact))
    }
    let id = FenceEvent.ID(UInt64(clamping: statement.int(2)))
    switch What(rawValue: statement.text(1)) {
    case .event: return NumberedNote(number: number, note: .event(try event(id, of: statement)))
    case .revised: return NumberedNote(number: number, note: .revised(id, try event(id, of: statement)))
    case .withdrawn: return NumberedNote(number: number, note: .revised(id, nil))
    case .removed:
      guard let end = FenceEnd(rawValue: statement.text(15)) else { break }
      return NumberedNote(number: number, note: .removed(FenceID(statement.text(3)), because: end))
    case .decided, nil: break
    }
    throw UnreadableRow(what: "note \(number) is of a kind that is not known")
  }

  private static func event(_ id: FenceEvent.ID, of statement: Statement) throws -> FenceEvent {
    func time(_ column: Int32) -> UTCTime? {
      statement.optionalInt(column).map(UTCTime.init(nanosecondsSince1970:))
    }
    guard let kind = FenceEvent.Kind(rawValue: statement.text(4)),
      let manner = FenceEvent.Manner(rawValue: statement.text(5)),
      let happened = time(6), let after = time(9), let decided = time(13),
      let place = Coordinate(latitude: statement.double(10), longitude: statement.double(11))
    else { throw UnreadableRow(what: "event \(id.number) is of a kind that is not known") }
    // A column less than parameters: the device is not among what is selected.
    let fix = try FixColumns.fix(of: statement, from: firstOfFix - 1, time: time(firstOfFix - 2))
    return FenceEvent(
      id: id, fence: FenceID(statement.text(3)), kind: kind, manner: manner, time: happened,
      timeUncertainty: statement.double(7), lastBefore: time(8), firstAfter: after, place: place,
      confidence: statement.double(12), decidedBy: fix, decided: decided,
      pending: .nanoseconds(statement.int(14)))
  }
}
