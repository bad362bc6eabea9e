import WhereaboutsCore
import WhereaboutsGeodesy

/// Says of fixes whether a store has them. Looks them up some hours at a time, for they come in the order of their times.
struct KnownFixes {
  /// What tells a fix from others: when and where.
  struct Key: Hashable {
    var time: UTCTime
    var latitude: Double
    var longitude: Double

    /// - Returns: `nil` for a fix without a time.
    init?(_ fix: Fix) {
      guard let time = fix.time else { return nil }
      self.time = time
      latitude = fix.coordinate.latitude
      longitude = fix.coordinate.longitude
    }
  }

  /// A fix that a store has.
  struct Row {
    /// Grows from each fix that was taken to the next.
    var number: UInt64
    var fix: Fix
  }

  /// Gives what the store has of a span.
  typealias Look = (Range<UTCTime>) throws -> [Row]

  private static let window = Duration.seconds(3600)

  private let look: Look
  /// The number of the fix that was taken last; 0 where that is not known.
  let last: UInt64

  private var loaded: Range<UTCTime>?
  private var numbers: [Key: UInt64] = [:]
  private var times: [UTCTime] = []

  init(last: UInt64, look: @escaping Look) {
    self.last = last
    self.look = look
  }

  /// The number of a fix in the store; `nil` where it has none of that time and place.
  mutating func number(of key: Key) throws -> UInt64? {
    try load(around: key.time)
    return numbers[key]
  }

  /// Whether the store has one that was made after a time, and no later than so long.
  mutating func hasOne(after time: UTCTime, within duration: Duration) throws -> Bool {
    try load(around: time)
    guard let next = times.first(after: time) else { return false }
    return next.since(time) <= duration
  }

  private mutating func load(around time: UTCTime) throws {
    if let loaded, loaded.lowerBound <= time, time.advanced(by: Self.window) <= loaded.upperBound { return }
    let span = time..<time.advanced(by: Self.window * 4)
    let rows = try look(span)
    numbers.removeAll(keepingCapacity: true)
    for row in rows {
      guard let key = Key(row.fix) else { continue }
      numbers[key] = max(row.number, numbers[key] ?? 0)
    }
    times = rows.compactMap(\.fix.time).sorted()
    loaded = span
  }
}

extension [UTCTime] {
  /// The first that is after a time; they are in order.
  fileprivate func first(after time: UTCTime) -> UTCTime? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}
