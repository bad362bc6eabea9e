import Whereabouts
import WhereaboutsModel

extension DeviceReader {
  /// The time before its newest fix for which the engine's state may hold places, in nanoseconds: a day.
  private static let stateMemory: Int64 = 86_400_000_000_000
  /// The greatest plausible lead over the wall clock, in nanoseconds. A later time is from a wrong date in a receiver
  /// or a recording.
  package static let maximumClockLead: Int64 = 86_400_000_000_000

  /// Returns whether the engine's state may hold places of a span.
  ///
  /// The state holds such places if a time in the state lies in the span. The state may hold such places if the span
  /// ends within the state's memory. The memory counts from the newest fix *of the state*, which is older than the
  /// newest fix of the history, and ignores wrong dates. An open trip is remembered from its beginning.
  ///
  /// - Parameter wall: the wall clock.
  func stateMayHold(from: Int64, to: Int64, at wall: UTCTime) throws -> Bool {
    let row = try statement(
      """
      SELECT state, (SELECT used_time FROM device WHERE id = ?1),
        (SELECT min(began) FROM trip WHERE device = ?1 AND ended IS NULL)
      FROM snapshot WHERE device = ?1
      """)
    guard try row.step() else { return false }
    defer { row.reset() }
    if Self.holdsTime(in: row.text(0), from: from, to: to) { return true }
    let newestOfHistory = try newestTime(at: wall)
    guard let newest = [row.optionalInt(1), newestOfHistory].compactMap({ $0 }).min() else { return true }
    let (back, overflow) = newest.subtractingReportingOverflow(Self.stateMemory)
    return to > min(overflow ? .min : back, row.optionalInt(2) ?? .max)
  }

  /// Returns whether JSON text contains a time of a span. Times are RFC 3339 text.
  private static func holdsTime(in json: String, from: Int64, to: Int64) -> Bool {
    json.split(separator: "\"").contains { text in
      guard text.utf8.count <= 40, text.utf8.last == UInt8(ascii: "Z"),
        let time = UTCTime(iso8601: text)?.nanosecondsSince1970
      else { return false }
      return time >= from && time < to
    }
  }

  /// Returns the newest time in the history that is not far ahead of the wall clock; `nil` if there is none.
  func newestTime(at wall: UTCTime) throws -> Int64? {
    try newest("SELECT max(time) FROM fix WHERE device = ? AND time <= ?", at: wall)
  }

  /// Returns the newest end of a stated visit that is not far ahead of the wall clock; `nil` if there is none.
  func newestStatedDeparture(at wall: UTCTime) throws -> Int64? {
    try newest("SELECT max(departure) FROM stated_visit WHERE device = ? AND departure <= ?", at: wall)
  }

  private func newest(_ sql: String, at wall: UTCTime) throws -> Int64? {
    let (bound, overflow) = wall.nanosecondsSince1970.addingReportingOverflow(Self.maximumClockLead)
    let row = try statement(sql)
    row.bind(overflow ? .max : bound, 2)
    defer { row.reset() }
    return try row.step() ? row.optionalInt(0) : nil
  }
}
