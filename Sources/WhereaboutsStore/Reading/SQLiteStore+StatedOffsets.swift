import GRDB
package import Whereabouts
package import WhereaboutsModel

extension SQLiteStore {
  /// Returns the offsets from UTC that a device's recordings state, in the order of time.
  package func statedOffsets(of device: DeviceID) throws(StoreError) -> [StatedOffset] {
    try read { database in
      // A file of an older version has none.
      guard try database.tableExists("stated_offset"), let reader = try DeviceReader(database, device) else {
        return []
      }
      let rows = try reader.statement(
        "SELECT time, minutes FROM stated_offset WHERE device = ? ORDER BY time")
      var offsets: [StatedOffset] = []
      while try rows.step() {
        let minutes = Int(clamping: rows.int(1))
        guard UTCTime.isClockOffset(minutes: minutes) else {
          throw UnreadableRowError(message: "a stated offset from UTC is not one of a clock")
        }
        offsets.append(
          StatedOffset(time: UTCTime(nanosecondsSince1970: rows.int(0)), minutes: minutes))
      }
      return offsets
    }
  }
}

extension DeviceReader {
  /// Erases the stated offsets of a span. The last one stays for the next fix or stated visit, which it holds for,
  /// unless a later one does.
  ///
  /// - Returns: the number of erased offsets.
  func eraseOffsets(from: Int64, to: Int64) throws -> Int {
    let keep = try statement(
      """
      INSERT OR IGNORE INTO stated_offset (device, time, minutes)
      SELECT ?1, next.time, erased.minutes
      FROM stated_offset AS erased, (
        SELECT min(time) AS time FROM (
          SELECT min(time) AS time FROM fix WHERE device = ?1 AND time >= ?3
          UNION ALL SELECT min(arrival) FROM stated_visit WHERE device = ?1 AND arrival >= ?3
        )
      ) AS next
      WHERE erased.device = ?1 AND erased.time >= ?2 AND erased.time < ?3 AND next.time IS NOT NULL
        AND NOT EXISTS (
          SELECT 1 FROM stated_offset AS later
          WHERE later.device = ?1 AND later.time >= ?3 AND later.time <= next.time)
      ORDER BY erased.time DESC LIMIT 1
      """)
    keep.bind(from, 2)
    keep.bind(to, 3)
    try keep.run()
    let erase = try statement("DELETE FROM stated_offset WHERE device = ?1 AND time >= ?2 AND time < ?3")
    erase.bind(from, 2)
    erase.bind(to, 3)
    try erase.run()
    return database.changesCount
  }
}
