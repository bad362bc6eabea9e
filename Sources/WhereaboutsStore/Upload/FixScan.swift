import GRDB
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// Reads used fixes in the order of their arrival, one bounded step at a time.
///
/// The table is in the order of time and has no index by arrival. Between two rows of `time_reset` both orders are the
/// same for fixes that were used, so the table is read forward from the cursor's time, and again from the time of each
/// reset. Gaps in the numbers, as after fixes were erased, cost nothing.
struct FixScan {
  let endpoint: EndpointRow
  let device: UploadDevice
  /// So many fixes to be sent end a step.
  let limit: Int
  /// So many rows end one.
  let window: Int

  /// Whether the end was not reached.
  private(set) var hasMore = false
  /// The time of the last used fix that was read.
  private(set) var lastUsedTime: Int64?

  private var place: (time: Int64, seq: Int64) = (.min, .min)
  /// Whether an earlier step has begun to read and not reached the end.
  private var isContinued = false
  /// No used fix from ``done`` to the next reset is older.
  private var bound: Int64?
  /// Every fix up to this one was read.
  private var done: Int64 = 0
  private var kept: [StoredFix] = []
  /// The first used fix of this step.
  private var first: UInt64?

  init(endpoint: EndpointRow, device: UploadDevice, limit: Int, window: Int) {
    self.endpoint = endpoint
    self.device = device
    self.limit = limit
    self.window = window
  }

  /// Reads a step, and moves the cursor.
  ///
  /// - Returns: the fixes to be sent.
  mutating func run(_ database: Database, _ cursor: inout UploadCursor, wall: UTCTime) throws -> [StoredFix] {
    let last = try UploadReading.lastSeq(database, device: device.id)
    guard endpoint.endpoint.sendsFixes else {
      if cursor.seq < last { try cursor.skipFixes(database, of: device) }
      return []
    }
    let through = cursor.scan?.through ?? last
    guard through > cursor.seq else {
      cursor.scan = nil
      return []
    }
    isContinued = cursor.scan != nil
    place = cursor.scan.map { ($0.time, $0.seq) } ?? (cursor.time ?? Int64.min, Int64.min)
    (bound, done) = (cursor.time, cursor.seq)
    var selection = FixSelection(endpoint.endpoint.terms, after: cursor.mark)
    try read(database, &selection, through: through)
    if !hasMore { kept += selection.takeDue(at: wall) }
    move(&cursor, selection, through: through)
    return kept
  }

  private mutating func read(
    _ database: Database, _ selection: inout FixSelection, through: Int64
  ) throws {
    var rows = 0
    var reset = try UploadReading.nextReset(database, device: device.id, after: done)
    // The next fix begins after a reset: an earlier step has gone to its time already, or this one does.
    if let next = reset, next.seq == done + 1 {
      if !isContinued { (place, bound) = ((next.time, Int64.min), next.time) }
      reset = try UploadReading.nextReset(database, device: device.id, after: next.seq)
    }
    while true {
      let end = min(reset.map { $0.seq - 1 } ?? .max, through)
      let count = try readPage(database, &selection, through: end)
      rows += count
      if kept.count >= limit {
        hasMore = true
        return
      }
      if count < window {
        done = end
        guard let next = reset, next.seq <= through else { return }
        place = (next.time, Int64.min)
        bound = next.time
        reset = try UploadReading.nextReset(database, device: device.id, after: next.seq)
      }
      // What is held is read again next time: then there must be more than that.
      let isStuck = selection.firstHeld.map { $0.seq == first } ?? false
      if rows >= window, !isStuck {
        hasMore = true
        return
      }
    }
  }

  /// - Returns: how many rows there were.
  private mutating func readPage(
    _ database: Database, _ selection: inout FixSelection, through end: Int64
  ) throws -> Int {
    let page = try UploadReading.page(database, device: device.id, after: place, limit: window)
    var rows = 0
    while try page.step() {
      rows += 1
      place = (page.int(FixRow.timeColumn), page.int(FixRow.seqColumn))
      guard place.seq > done, place.seq <= end, page.text(FixRow.useColumn) == SeenFix.Use.used.rawValue
      else { continue }
      let stored = try FixRow.fix(of: page)
      if first == nil { first = stored.seq }
      kept += selection.take(stored)
      bound = place.time
      lastUsedTime = place.time
      guard kept.count < limit else { break }
    }
    page.reset()
    return rows
  }

  private func move(_ cursor: inout UploadCursor, _ selection: FixSelection, through: Int64) {
    (cursor.seq, cursor.time) = (hasMore ? done : through, bound)
    cursor.mark = selection.mark
    var next = place
    if let held = selection.firstHeld {
      next = Self.place(before: held)
      cursor.seq = min(cursor.seq, next.seq)
      cursor.time = next.time
    }
    cursor.scan = hasMore ? UploadCursor.Scan(time: next.time, seq: next.seq, through: through) : nil
  }

  private static func place(before stored: StoredFix) -> (time: Int64, seq: Int64) {
    (stored.rowTime.nanosecondsSince1970, Int64(clamping: stored.seq) - 1)
  }
}
