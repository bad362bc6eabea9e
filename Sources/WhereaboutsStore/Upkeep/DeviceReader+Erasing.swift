import GRDB

extension DeviceReader {
  /// Returns the times of the first and the last fix of a span; `nil` without a fix.
  func fixTimes(from: Int64, to: Int64) throws -> (first: Int64, last: Int64)? {
    func end(_ function: String) throws -> Int64? {
      let row = try statement(
        "SELECT \(function)(time) FROM fix WHERE device = ? AND time >= ? AND time < ?")
      row.bind(from, 2)
      row.bind(to, 3)
      return try row.step() ? row.optionalInt(0) : nil
    }
    guard let first = try end("min"), let last = try end("max") else { return nil }
    return (first, last)
  }

  /// Erases the oldest fixes of a span.
  ///
  /// - Parameters:
  ///   - snapshotOnly: whether to keep the fixes that a resuming engine replays.
  /// - Returns: the number of erased fixes, and the time up to which none are left; `nil` if none were found.
  func eraseFixes(
    from: Int64, to: Int64, atMost count: Int, snapshotOnly: Bool = false
  ) throws -> (count: Int, reached: Int64)? {
    let bound = try statement(
      """
      SELECT time, seq FROM fix WHERE device = ? AND time >= ? AND time < ?
      ORDER BY time, seq LIMIT 1 OFFSET ?
      """)
    bound.bind(from, 2)
    bound.bind(to, 3)
    bound.bind(Int64(count), 4)
    let end = try bound.step() ? (bound.int(0), bound.int(1)) : (to, Int64.min)
    bound.reset()
    // A range of the key, so that no row is looked up alone.
    let delete = try statement(
      "DELETE FROM fix WHERE device = ? AND time >= ? AND (time, seq) < (?, ?) AND (seq <= ? OR timing = \(FixRow.Timing.imported.rawValue))"
    )
    delete.bind(from, 2)
    delete.bind(end.0, 3)
    delete.bind(end.1, 4)
    delete.bind(snapshotOnly ? snapshotSeq : .max, 5)
    try delete.run()
    let erased = database.changesCount
    return erased == 0 ? nil : (erased, end.0)
  }
}
