import Foundation
import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore

/// A builder of upload requests from the data after an endpoint's cursor, in two phases.
///
/// The first phase reads, possibly for long, and blocks no other access. The second phase is a short transaction that
/// writes the requests and moves the cursor, if the data is unchanged since. No item is lost, is in two requests, or
/// returns after its erasure.
struct UploadBatchBuilder {
  let endpoint: EndpointRow
  let device: UploadDevice
  let wall: UTCTime
  /// Creates keys of requests.
  let makeKey: () -> String
  /// The number of rows read in one step.
  var window = UploadHistoryReader.window
  /// The survey whose last fix and record end the reading; `nil` to read all data.
  var end: UploadSurvey.Entry?

  /// The greatest number of requests built at once, to keep the transaction short.
  private static let maximumRequests = 20
  /// The greatest number of items in those requests.
  private static let maximumItems = 2_000

  /// The planned writes.
  struct Plan {
    /// The cursor at the start of reading.
    let before: UploadCursor
    var after: UploadCursor
    var requests: [UploadBatchRow.Draft] = []
    /// Whether more data is left to read.
    var hasMore = false

    /// Whether the plan writes nothing.
    var isEmpty: Bool { requests.isEmpty && before == after }
  }

  // MARK: Reading

  /// Reads one bounded step.
  func plan(_ database: Database) throws -> Plan {
    let cursor = try UploadCursor.read(database, endpoint: endpoint.id, device: device.id)
    var plan = Plan(before: cursor, after: cursor)
    var scan = FixScan(
      endpoint: endpoint, device: device, limit: limit, window: window, lastFix: end?.lastFix ?? .max)
    let fixes = try scan.run(database, &plan.after, wall: wall)
    plan.hasMore = scan.hasMore
    let records = try readFenceRecords(database, &plan, scan)
    let items = try Self.merged(fixes, records, name: { try name(of: $0, database) })
      .filter { isSupported($0.item, &plan.after) }
    plan.requests = try drafts(of: items)
    return plan
  }

  private var limit: Int {
    let size = endpoint.endpoint.batchSize
    guard endpoint.endpoint.template.allowsBatches else { return max(size, Self.maximumRequests) }
    return max(size, min(size * Self.maximumRequests, Self.maximumItems))
  }

  private func readFenceRecords(
    _ database: Database, _ plan: inout Plan, _ scan: FixScan
  ) throws -> [NumberedFenceRecord] {
    guard endpoint.endpoint.sendsCrossings else {
      plan.after.lastRecordNumber = max(
        plan.after.lastRecordNumber, try UploadHistoryReader.lastRecordNumber(database, device: device.id))
      return []
    }
    let records = try UploadHistoryReader.fenceRecords(
      database, device: device.id, after: plan.after.lastRecordNumber, limit: limit)
    // If more fixes follow, include only the records decided by the fixes read so far.
    let taken = records.prefix { numbered in
      if let end, numbered.number > UInt64(clamping: end.lastRecord) { return false }
      guard scan.hasMore, let decided = Self.decisionTime(numbered)?.nanosecondsSince1970 else { return true }
      return scan.lastUsedTime.map { decided <= $0 } ?? false
    }
    if let number = taken.last?.number { plan.after.lastRecordNumber = Int64(clamping: number) }
    if records.count == limit, !taken.isEmpty { plan.hasMore = true }
    return Array(taken)
  }

  private static func decisionTime(_ numbered: NumberedFenceRecord) -> UTCTime? {
    switch numbered.record {
    case .event(let event), .revised(_, let event?): event.decided
    case .revised(_, nil), .decided, .removed: nil
    }
  }

  /// Merges fixes and records. A record follows the fix that decided it.
  static func merged(
    _ fixes: [StoredFix], _ records: [NumberedFenceRecord],
    name: (NumberedFenceRecord) throws -> String? = { _ in nil }
  ) rethrows -> [QueuedItem] {
    var items: [QueuedItem] = []
    var rest = records[...]
    for fix in fixes {
      while let numbered = rest.first, let decided = decisionTime(numbered), decided < fix.rowTime {
        rest.removeFirst()
        if let item = QueuedItem(numbered, fenceName: try name(numbered)) { items.append(item) }
      }
      items.append(QueuedItem(fix))
    }
    return try items + rest.compactMap { QueuedItem($0, fenceName: try name($0)) }
  }

  private func name(of numbered: NumberedFenceRecord, _ database: Database) throws -> String? {
    guard endpoint.endpoint.template.sendsFenceNames, case .event(let event) = numbered.record else {
      return nil
    }
    return try UploadHistoryReader.name(of: event.fence, database, device: device.id)
  }

  /// Returns whether the template supports an item, and counts unsupported items.
  private func isSupported(_ item: UploadItem, _ cursor: inout UploadCursor) -> Bool {
    let unsupported = endpoint.endpoint.template.unsupportedContent(
      of: item, sendingSimulated: endpoint.endpoint.sendsSimulated)
    guard let unsupported else { return true }
    cursor.unsupported[unsupported.rawValue, default: 0] += 1
    return false
  }

  private func drafts(of items: [QueuedItem]) throws -> [UploadBatchRow.Draft] {
    let size = endpoint.endpoint.template.allowsBatches ? endpoint.endpoint.batchSize : 1
    return try stride(from: 0, to: items.count, by: size).compactMap { start in
      try UploadBatchRow.Draft(
        items[start..<min(start + size, items.count)], for: endpoint, device, key: makeKey(), at: wall)
    }
  }

  // MARK: Writes

  /// Writes a plan within the caller's transaction.
  ///
  /// - Returns: `false` if the device, the endpoint, the cursor or an item has changed since reading; nothing is
  ///   written then.
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
    guard let now = try EndpointRow.withID(endpoint.id, database), now.endpoint == endpoint.endpoint,
      now.origin == endpoint.origin, try device.exists(database),
      try UploadCursor.read(database, endpoint: endpoint.id, device: device.id) == plan.before
    else { return false }
    let fix = try Statement(database, "SELECT 1 FROM fix WHERE device = ? AND time = ? AND seq = ?")
    let record = try Statement(database, "SELECT 1 FROM fence_record WHERE device = ? AND number = ?")
    for part in plan.requests.lazy.flatMap(\.parts) {
      let statement: Statement
      switch part {
      case .fix(let time, let seq):
        fix.bind(time, 2)
        fix.bind(seq, 3)
        statement = fix
      case .record(let number):
        record.bind(number, 2)
        statement = record
      }
      statement.bind(device.id, 1)
      defer { statement.reset() }
      guard try statement.step() else { return false }
    }
    return true
  }
}
