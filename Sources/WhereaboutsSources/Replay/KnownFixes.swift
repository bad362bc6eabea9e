package import WhereaboutsModel
import WhereaboutsGeodesy

/// A lookup of fixes in a store. Queries cover several hours each, because fixes arrive in the order of their times.
package struct KnownFixes {
  /// The identity of a fix: its time and position.
  package struct Key: Hashable {
    package var time: UTCTime
    package var latitude: Double
    package var longitude: Double

    /// - Returns: `nil` for a fix without a time.
    package init?(_ fix: Fix) {
      guard let time = fix.time else { return nil }
      self.time = time
      latitude = fix.coordinate.latitude
      longitude = fix.coordinate.longitude
    }
  }

  /// A fix of the store.
  package struct Row {
    /// The number of the row. Later rows have greater numbers.
    package var number: UInt64
    package var fix: Fix

    package init(number: UInt64, fix: Fix) {
      self.number = number
      self.fix = fix
    }
  }

  /// A function that fetches the store's fixes of a time span.
  package typealias FetchRows = (Range<UTCTime>) throws -> [Row]

  private static let window = Duration.seconds(3600)

  private let fetchRows: FetchRows
  /// The number of the last stored fix; 0 if unknown.
  package let lastNumber: UInt64

  private var loaded: Range<UTCTime>?
  private var numbers: [Key: UInt64] = [:]
  private var times: [UTCTime] = []

  package init(last: UInt64, fetchRows: @escaping FetchRows) {
    self.lastNumber = last
    self.fetchRows = fetchRows
  }

  /// Returns the number of a fix in the store; `nil` if the store has no fix of that time and position.
  package mutating func number(of key: Key) throws -> UInt64? {
    try load(around: key.time)
    return numbers[key]
  }

  /// Returns whether the store has a fix after a time and within a duration.
  package mutating func hasFix(after time: UTCTime, within duration: Duration) throws -> Bool {
    try load(around: time)
    guard let next = times.first(after: time) else { return false }
    return next.since(time) <= duration
  }

  private mutating func load(around time: UTCTime) throws {
    if let loaded, loaded.lowerBound <= time, time.advanced(by: Self.window) <= loaded.upperBound { return }
    let span = time..<time.advanced(by: Self.window * 4)
    let rows = try fetchRows(span)
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
  /// Returns the first element after a time. The array is sorted.
  fileprivate func first(after time: UTCTime) -> UTCTime? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}
