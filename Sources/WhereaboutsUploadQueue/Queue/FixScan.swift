import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore

/// A reader of used fixes in order of arrival, one bounded step at a time.
///
/// The table is in order of time and has no index by arrival. Between two rows of `time_reset` both orders are the
/// same for used fixes of a receiver. The reader therefore reads forward from the cursor's time, and again from the time
/// of each reset. Imported fixes older than the last one read are left out; an imported one with a wrong date, far ahead of
/// the wall clock, does not count as the last one. Gaps in the numbers, as after erasures, cost nothing.
struct FixScan {
  let endpoint: EndpointRow
  let device: UploadDevice
  /// The number of fixes to send that ends a step.
  let limit: Int
  /// The number of rows that ends a step.
  let window: Int
  /// The number of the last fix to read.
  let lastFix: Int64

  /// Whether more fixes are left to read.
  private(set) var hasMore = false
  /// The time of the last used fix read.
  private(set) var lastUsedTime: Int64?

  /// The latest time that is no wrong date.
  private var latestTime = Int64.max
  private var place: (time: Int64, seq: Int64) = (.min, .min)
  /// Whether an earlier step stopped before the end.
  private var isContinued = false
  /// A lower bound of the times of the used fixes from `readThrough` to the next reset.
  private var bound: Int64?
  /// The number up to which every fix was read.
  private var readThrough: Int64 = 0
  private var selected: [StoredFix] = []
  /// The first used fix of this step.
  private var first: UInt64?

  init(endpoint: EndpointRow, device: UploadDevice, limit: Int, window: Int, lastFix: Int64) {
    self.endpoint = endpoint
    self.device = device
    self.limit = limit
    self.window = window
    self.lastFix = lastFix
  }

  /// Reads a step and moves the cursor.
  ///
  /// - Returns: the fixes to send.
  mutating func run(_ database: Database, _ cursor: inout UploadCursor, wall: UTCTime) throws -> [StoredFix] {
    let last = try UploadHistoryReader.lastSeq(database, device: device.id)
    guard endpoint.endpoint.sendsFixes else {
      if cursor.seq < last { try cursor.skipFixes(database, of: device, at: wall) }
      return []
    }
    let through = min(cursor.scan?.through ?? last, lastFix)
    guard through > cursor.seq else {
      cursor.scan = nil
      return []
    }
    try cursor.removeWrongDate(database, of: device, at: wall)
    isContinued = cursor.scan != nil
    latestTime = UploadHistoryReader.latestTime(at: wall)
    place = cursor.scan.map { ($0.time, $0.seq) } ?? (cursor.time ?? Int64.min, Int64.min)
    (bound, readThrough) = (cursor.time, cursor.seq)
    var selection = FixSelector(endpoint.endpoint.terms, after: cursor.resumePoint)
    try read(database, &selection, through: through)
    if !hasMore {
      selected += selection.releaseDue(at: wall)
      // It would be held until its date.
      if let held = selection.firstHeld, hasWrongDate(held) { selected += selection.releaseBest() }
    }
    advance(&cursor, selection, through: through)
    // The next scan reads the fixes that arrived during this one.
    if isContinued, through < last { hasMore = true }
    return selected
  }

  private mutating func read(
    _ database: Database, _ selection: inout FixSelector, through: Int64
  ) throws {
    var rows = 0
    var reset = try UploadHistoryReader.nextReset(database, device: device.id, after: readThrough)
    // The next fix begins after a reset, whose time an earlier step or this one has read.
    if let next = reset, next.seq == readThrough + 1 {
      if !isContinued { (place, bound) = ((next.time, Int64.min), next.time) }
      reset = try UploadHistoryReader.nextReset(database, device: device.id, after: next.seq)
    }
    while true {
      let end = min(reset.map { $0.seq - 1 } ?? .max, through)
      let count = try readPage(database, &selection, through: end)
      rows += count
      if selected.count >= limit {
        hasMore = true
        return
      }
      if count < window {
        readThrough = end
        guard let next = reset, next.seq <= through else { return }
        place = (next.time, Int64.min)
        bound = next.time
        reset = try UploadHistoryReader.nextReset(database, device: device.id, after: next.seq)
      }
      // Held fixes are read again in the next step, which must then read more rows.
      let isStuck = selection.firstHeld.map { $0.seq == first } ?? false
      if rows >= window, !isStuck {
        hasMore = true
        return
      }
    }
  }

  /// - Returns: the number of rows.
  private mutating func readPage(
    _ database: Database, _ selection: inout FixSelector, through end: Int64
  ) throws -> Int {
    let page = try UploadHistoryReader.page(database, device: device.id, after: place, limit: window)
    var rows = 0
    while try page.step() {
      rows += 1
      place = (page.int(FixRow.timeColumn), page.int(FixRow.seqColumn))
      guard place.seq > readThrough, place.seq <= end,
        page.text(FixRow.useColumn) == LoggedFix.Use.used.rawValue
      else { continue }
      let stored = try FixRow.fix(of: page)
      if first == nil { first = stored.seq }
      selected += selection.process(stored)
      // Otherwise the fixes of later imports would be older than this one.
      if !hasWrongDate(stored) { bound = place.time }
      lastUsedTime = place.time
      guard selected.count < limit else { break }
    }
    page.reset()
    return rows
  }

  private func advance(_ cursor: inout UploadCursor, _ selection: FixSelector, through: Int64) {
    (cursor.seq, cursor.time) = (hasMore ? readThrough : through, bound)
    cursor.resumePoint = selection.resumePoint
    var next = place
    if let held = selection.firstHeld {
      next = Self.place(before: held)
      cursor.seq = min(cursor.seq, next.seq)
      if !hasWrongDate(held) { cursor.time = next.time }
    }
    cursor.scan = hasMore ? UploadCursor.Scan(time: next.time, seq: next.seq, through: through) : nil
  }

  /// Returns whether a fix is an imported one, which has no time of processing, with a wrong date. A wrong date of a
  /// receiver is followed by a reset.
  private func hasWrongDate(_ stored: StoredFix) -> Bool {
    stored.fix.seen == nil && stored.rowTime.nanosecondsSince1970 > latestTime
  }

  private static func place(before stored: StoredFix) -> (time: Int64, seq: Int64) {
    (stored.rowTime.nanosecondsSince1970, Int64(clamping: stored.seq) - 1)
  }
}
