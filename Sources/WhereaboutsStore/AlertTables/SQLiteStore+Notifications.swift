import GRDB
package import Whereabouts
package import WhereaboutsModel

/// The deliveries of notifications.
extension SQLiteStore {
  private static let columns = """
    notification.id, key, alert, channel, name, number, event, type, time, steps, is_joint, created, not_before,
    attempts, status, ended, reason
    """

  /// Returns the next waiting notification of a channel: the one with the earliest time, then the oldest.
  package func nextNotification(of channel: String) throws(StoreError) -> StoredNotification? {
    try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT \(Self.columns) FROM notification JOIN device ON device.id = notification.device
          WHERE channel = ? AND status = 'waiting' ORDER BY not_before, notification.id LIMIT 1
          """, arguments: [channel]
      ).map { try Self.notification($0) }
    }
  }

  /// Returns the newest notifications, the newest first.
  ///
  /// - Parameter alert: the name of the alert; `nil` for all.
  package func notifications(of alert: String?, limit: Int) throws(StoreError) -> [StoredNotification] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT \(Self.columns) FROM notification JOIN device ON device.id = notification.device
          WHERE ?1 IS NULL OR alert = ?1 ORDER BY notification.id DESC LIMIT ?2
          """, arguments: [alert, limit]
      ).map { try Self.notification($0) }
    }
  }

  /// Returns whether a channel has delivered an alert's notification of a crossing.
  package func wasDelivered(
    _ event: FenceEvent.ID, of device: DeviceID, by channel: String, alert: String
  ) throws(StoreError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM notification JOIN device ON device.id = notification.device
            WHERE name = ? AND event = ? AND channel = ? AND alert = ? AND type = 'crossing'
              AND (status = 'delivered' OR attempts > 0))
          """, arguments: [device.rawValue, Int64(clamping: event.number), channel, alert]) ?? false
    }
  }

  /// Returns the number of notifications of each channel in each state.
  package func notificationCounts() throws(StoreError) -> [String: [StoredNotification.Status: Int]] {
    try read { database in
      var counts: [String: [StoredNotification.Status: Int]] = [:]
      let rows = try Row.fetchAll(
        database, sql: "SELECT channel, status, count(*) FROM notification GROUP BY channel, status")
      for row in rows {
        let channel: String = row[0]
        guard let status = StoredNotification.Status(rawValue: row[1]) else { continue }
        counts[channel, default: [:]][status] = row[2]
      }
      return counts
    }
  }

  /// Withdraws the waiting notifications of channels that no longer exist.
  package func withdrawNotifications(exceptChannels channels: [String]) throws(StoreError) {
    try write { database in
      let marks = channels.map { _ in "?" }.joined(separator: ", ")
      try database.execute(
        sql: """
          UPDATE notification SET status = 'withdrawn', reason = 'the channel was removed'
          WHERE status = 'waiting' AND channel NOT IN (\(marks))
          """, arguments: StatementArguments(channels))
      try database.execute(
        sql: "DELETE FROM meta WHERE key LIKE 'pause %' AND substr(key, 7) NOT IN (\(marks))",
        arguments: StatementArguments(channels))
    }
  }

  /// Stores the result of an attempt, which survives a power cut.
  ///
  /// - Parameters:
  ///   - id: the notification.
  ///   - status: the state afterwards.
  ///   - reason: the reason of a failure.
  ///   - pause: the pause of its channel until the next attempt; `nil` for none.
  ///   - now: the present time.
  package func endAttempt(
    of id: Int64, _ status: StoredNotification.Status, reason: String?, pause: NotificationPause? = nil,
    at now: UTCTime
  ) throws(StoreError) {
    try write { database in
      try database.execute(
        sql: """
          UPDATE notification SET status = ?, ended = ?, reason = ?,
            attempts = attempts + (? = 'waiting')
          WHERE id = ? AND status = 'waiting'
          """,
        arguments: [status.rawValue, now.nanosecondsSince1970, reason, status.rawValue, id])
      if let pause {
        try database.execute(
          sql: """
            INSERT OR REPLACE INTO meta (key, value)
            SELECT 'pause ' || channel, ? FROM notification WHERE id = ?
            """, arguments: [pause.text, id])
      } else {
        try database.execute(
          sql: "DELETE FROM meta WHERE key = (SELECT 'pause ' || channel FROM notification WHERE id = ?)",
          arguments: [id])
      }
    }
  }

  /// Returns the pause of a channel after the last failed attempt; `nil` for none.
  package func notificationPause(of channel: String) throws(StoreError) -> NotificationPause? {
    try read { database in
      try String.fetchOne(
        database, sql: "SELECT value FROM meta WHERE key = 'pause ' || ?", arguments: [channel]
      ).flatMap { NotificationPause(text: $0) }
    }
  }

  private static func notification(_ row: Row) throws -> StoredNotification {
    guard let kind = StoredNotification.Kind(rawValue: row[7]),
      let status = StoredNotification.Status(rawValue: row[14])
    else { throw UnreadableRowError(message: "a notification is of a kind that is not known") }
    func time(_ column: Int) -> UTCTime { UTCTime(nanosecondsSince1970: row[column]) }
    var notification = StoredNotification(
      key: row[1], alert: row[2], channel: row[3], device: DeviceID(rawValue: row[4]),
      number: UInt64(clamping: row[5] as Int64), event: FenceEvent.ID(UInt64(clamping: row[6] as Int64)),
      kind: kind, time: time(8), steps: row[9], isJoint: row[10], created: time(11), notBefore: time(12))
    notification.id = row[0]
    notification.attempts = row[13]
    notification.status = status
    notification.ended = (row[15] as Int64?).map(UTCTime.init(nanosecondsSince1970:))
    notification.reason = row[16]
    return notification
  }
}
