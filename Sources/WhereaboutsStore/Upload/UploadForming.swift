import Foundation
import GRDB
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// Makes requests of what has come since an endpoint's cursor, and moves the cursor, within one transaction of the
/// caller's: so nothing is lost, and nothing is in two requests.
struct UploadForming {
  let endpoint: EndpointRow
  let device: UploadDevice
  let wall: UTCTime
  /// Makes names of requests.
  let makeKey: () -> String

  /// Requests that are made at once, at most: a transaction is to be short.
  private static let longest = 20

  /// What came of it.
  struct Outcome {
    /// Requests made.
    var batches = 0
    /// Whether there is more.
    var hasMore = false
  }

  /// - Parameter always: whether to make a request also of what is held or less than a batch.
  func run(_ database: Database) throws -> Outcome {
    var cursor = try UploadCursor.read(database, endpoint: endpoint.id, device: device.id)
    let before = (cursor.seq, cursor.note)
    var outcome = Outcome()
    let fixes = try takeFixes(database, &cursor, &outcome)
    let notes = try takeNotes(database, &cursor, &outcome, upTo: outcome.hasMore ? fixes.last : nil)
    let items = Self.merged(fixes, notes).filter { isSaid($0.item, &cursor) }
    outcome.batches = try insert(items, database)
    if !items.isEmpty || before != (cursor.seq, cursor.note) { try cursor.write(database) }
    return outcome
  }

  // MARK: What comes next

  private var limit: Int {
    endpoint.endpoint.template.holdsMany
      ? endpoint.endpoint.batchSize * Self.longest : max(endpoint.endpoint.batchSize, Self.longest)
  }

  private func takeFixes(
    _ database: Database, _ cursor: inout UploadCursor, _ outcome: inout Outcome
  ) throws -> [StoredFix] {
    let last = try UploadReading.lastSeq(database, device: device.id)
    guard endpoint.endpoint.sendsFixes else {
      cursor.seq = max(cursor.seq, last)
      return []
    }
    var kept: [StoredFix] = []
    var selection = FixSelection(endpoint.endpoint.terms, after: cursor.mark)
    var place = cursor
    while kept.count < limit {
      let found = try UploadReading.fixes(database, after: place, last: last)
      if found.isEmpty { break }
      for stored in found where kept.count < limit {
        if stored.fix.use == .used { kept += selection.take(stored) }
        place.seq = Int64(clamping: stored.seq)
        place.time = stored.rowTime.nanosecondsSince1970
      }
    }
    // Erased ones at the end are not looked for again.
    outcome.hasMore = kept.count >= limit && place.seq < last
    if !outcome.hasMore {
      kept += selection.takeDue(at: wall)
      place.seq = max(place.seq, last)
    }
    if let held = selection.firstHeld {
      cursor.seq = Int64(clamping: held.seq) - 1
      cursor.time = held.rowTime.nanosecondsSince1970
    } else {
      (cursor.seq, cursor.time) = (place.seq, place.time)
    }
    cursor.mark = selection.mark
    return kept
  }

  /// - Parameter last: only what was decided by this fix or before it is taken, since more fixes follow.
  private func takeNotes(
    _ database: Database, _ cursor: inout UploadCursor, _ outcome: inout Outcome, upTo last: StoredFix?
  ) throws -> [NumberedNote] {
    guard endpoint.endpoint.sendsCrossings else {
      cursor.note = max(cursor.note, try UploadReading.lastNote(database, device: device.id))
      return []
    }
    let notes = try UploadReading.notes(database, device: device.id, after: cursor.note, limit: limit)
    let taken = notes.prefix { note in
      guard let last, let decided = Self.decided(note) else { return true }
      return decided <= last.rowTime
    }
    if let number = taken.last?.number { cursor.note = Int64(clamping: number) }
    if notes.count == limit { outcome.hasMore = true }
    return Array(taken)
  }

  private static func decided(_ note: NumberedNote) -> UTCTime? {
    switch note.note {
    case .event(let event), .revised(_, let event?): event.decided
    case .revised(_, nil), .decided, .removed: nil
    }
  }

  /// What was decided by a fix comes after it.
  static func merged(_ fixes: [StoredFix], _ notes: [NumberedNote]) -> [QueuedItem] {
    var items: [QueuedItem] = []
    var rest = notes[...]
    for fix in fixes {
      while let note = rest.first, let decided = decided(note), decided < fix.rowTime {
        if let item = QueuedItem(rest.removeFirst()) { items.append(item) }
      }
      items.append(QueuedItem(fix))
    }
    return items + rest.compactMap { QueuedItem($0) }
  }

  /// Whether the template can say it; counted where it can't.
  private func isSaid(_ item: UploadItem, _ cursor: inout UploadCursor) -> Bool {
    guard let unsaid = endpoint.endpoint.template.unsaid(of: item) else { return true }
    cursor.unsaid[unsaid.rawValue, default: 0] += 1
    return false
  }

  // MARK: Requests

  private func insert(_ items: [QueuedItem], _ database: Database) throws -> Int {
    guard !items.isEmpty else { return 0 }
    let size = endpoint.endpoint.template.holdsMany ? endpoint.endpoint.batchSize : 1
    var number = try UploadBatchRow.lastNumber(database, endpoint: endpoint.id, device: device.id)
    var count = 0
    for start in stride(from: 0, to: items.count, by: size) {
      number += UploadBatchRow.span
      let part = items[start..<min(start + size, items.count)]
      let row = UploadBatchRow(
        endpoint: endpoint, device: device, number: number, span: UploadBatchRow.span, key: makeKey())
      if try row.insert(part, at: wall, database) { count += 1 }
    }
    return count
  }
}
