import Foundation
import GRDB
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// Makes requests of what has come since an endpoint's cursor, in two parts: reading, which may take some time and holds up
/// nobody, and a short transaction that writes the requests and moves the cursor. The second part is done only where
/// nothing that was read has changed meanwhile: so nothing is lost, nothing is in two requests, and nothing that was erased
/// comes back.
struct UploadForming {
  let endpoint: EndpointRow
  let device: UploadDevice
  let wall: UTCTime
  /// Makes names of requests.
  let makeKey: () -> String
  /// Rows that are read in one step.
  var window = UploadReading.window

  /// Requests that are made at once, at most: a transaction is to be short.
  private static let mostRequests = 20
  /// Items in them.
  private static let mostItems = 2_000

  /// What is to be written.
  struct Plan {
    /// The cursor by which was read.
    let before: UploadCursor
    var after: UploadCursor
    var requests: [UploadBatchRow.Draft] = []
    /// Whether there is more to read.
    var hasMore = false

    /// Whether there is anything to write.
    var isEmpty: Bool { requests.isEmpty && before == after }
  }

  // MARK: Reading

  /// Reads one bounded step.
  func plan(_ database: Database) throws -> Plan {
    let cursor = try UploadCursor.read(database, endpoint: endpoint.id, device: device.id)
    var plan = Plan(before: cursor, after: cursor)
    var scan = FixScan(endpoint: endpoint, device: device, limit: limit, window: window)
    let fixes = try scan.run(database, &plan.after, wall: wall)
    plan.hasMore = scan.hasMore
    let notes = try readNotes(database, &plan, scan)
    let items = try Self.merged(fixes, notes, name: { try name(of: $0, database) })
      .filter { isSaid($0.item, &plan.after) }
    plan.requests = try drafts(of: items)
    return plan
  }

  private var limit: Int {
    let size = endpoint.endpoint.batchSize
    guard endpoint.endpoint.template.holdsMany else { return max(size, Self.mostRequests) }
    return max(size, min(size * Self.mostRequests, Self.mostItems))
  }

  private func readNotes(
    _ database: Database, _ plan: inout Plan, _ scan: FixScan
  ) throws -> [NumberedNote] {
    guard endpoint.endpoint.sendsCrossings else {
      plan.after.note = max(plan.after.note, try UploadReading.lastNote(database, device: device.id))
      return []
    }
    let notes = try UploadReading.notes(database, device: device.id, after: plan.after.note, limit: limit)
    // Where more fixes follow, only what was decided by those that were read.
    let taken = notes.prefix { note in
      guard scan.hasMore, let decided = Self.decided(note)?.nanosecondsSince1970 else { return true }
      return scan.lastUsedTime.map { decided <= $0 } ?? false
    }
    if let number = taken.last?.number { plan.after.note = Int64(clamping: number) }
    if notes.count == limit, !taken.isEmpty { plan.hasMore = true }
    return Array(taken)
  }

  private static func decided(_ note: NumberedNote) -> UTCTime? {
    switch note.note {
    case .event(let event), .revised(_, let event?): event.decided
    case .revised(_, nil), .decided, .removed: nil
    }
  }

  /// What was decided by a fix comes after it.
  static func merged(
    _ fixes: [StoredFix], _ notes: [NumberedNote], name: (NumberedNote) throws -> String? = { _ in nil }
  ) rethrows -> [QueuedItem] {
    var items: [QueuedItem] = []
    var rest = notes[...]
    for fix in fixes {
      while let note = rest.first, let decided = decided(note), decided < fix.rowTime {
        rest.removeFirst()
        if let item = QueuedItem(note, fenceName: try name(note)) { items.append(item) }
      }
      items.append(QueuedItem(fix))
    }
    return try items + rest.compactMap { QueuedItem($0, fenceName: try name($0)) }
  }

  private func name(of note: NumberedNote, _ database: Database) throws -> String? {
    guard endpoint.endpoint.template.namesFences, case .event(let event) = note.note else { return nil }
    return try UploadReading.name(of: event.fence, database, device: device.id)
  }

  /// Whether the template can say it; counted where it can't.
  private func isSaid(_ item: UploadItem, _ cursor: inout UploadCursor) -> Bool {
    let unsaid = endpoint.endpoint.template.unsaid(
      of: item, sendingSimulated: endpoint.endpoint.sendsSimulated)
    guard let unsaid else { return true }
    cursor.unsaid[unsaid.rawValue, default: 0] += 1
    return false
  }

  private func drafts(of items: [QueuedItem]) throws -> [UploadBatchRow.Draft] {
    let size = endpoint.endpoint.template.holdsMany ? endpoint.endpoint.batchSize : 1
    return try stride(from: 0, to: items.count, by: size).compactMap { start in
      try UploadBatchRow.Draft(
        items[start..<min(start + size, items.count)], for: endpoint, device, key: makeKey(), at: wall)
    }
  }

  // MARK: Writing

  /// Writes what was read, within a transaction of the caller's.
  ///
  /// - Returns: `false` where the device, the endpoint, the cursor or an item is not as it was read: nothing is written.
  func write(_ plan: Plan, _ database: Database) throws -> Bool {
    guard try isUnchanged(plan, database) else { return false }
    var number = try UploadBatchRow.lastNumber(database, endpoint: endpoint.id, device: device.id)
    for draft in plan.requests {
      number += UploadBatchRow.span
      try UploadBatchRow(
        endpoint: endpoint.id, device: device.id, number: number, span: UploadBatchRow.span
      ).insert(draft, at: wall, database)
    }
    try plan.after.write(database)
    return true
  }

  private func isUnchanged(_ plan: Plan, _ database: Database) throws -> Bool {
    guard let now = try EndpointRow.numbered(endpoint.id, database), now.endpoint == endpoint.endpoint,
      now.origin == endpoint.origin, try device.exists(database),
      try UploadCursor.read(database, endpoint: endpoint.id, device: device.id) == plan.before
    else { return false }
    let fix = try Statement(database, "SELECT 1 FROM fix WHERE device = ? AND time = ? AND seq = ?")
    let note = try Statement(database, "SELECT 1 FROM note WHERE device = ? AND number = ?")
    for part in plan.requests.lazy.flatMap(\.parts) {
      let statement: Statement
      switch part {
      case .fix(let time, let seq):
        fix.bind(time, 2)
        fix.bind(seq, 3)
        statement = fix
      case .note(let number):
        note.bind(number, 2)
        statement = note
      }
      statement.bind(device.id, 1)
      defer { statement.reset() }
      guard try statement.step() else { return false }
    }
    return true
  }
}
