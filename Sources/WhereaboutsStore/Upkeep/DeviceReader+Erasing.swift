import GRDB

extension DeviceReader {
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
