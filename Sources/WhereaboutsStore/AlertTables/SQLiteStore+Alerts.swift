import GRDB
package import Whereabouts
package import WhereaboutsModel

/// The progress of an alert, stored with the position up to which crossings were evaluated.
package struct StoredAlertProgress: Hashable, Sendable {
  /// The name of the alert.
  package var alert: String
  /// The device; `nil` for all devices together.
  package var device: DeviceID?
  /// The progress as JSON; `nil` to remove it.
  package var progress: String?

  /// Creates a progress.
  package init(alert: String, device: DeviceID?, progress: String?) {
    self.alert = alert
    self.device = device
    self.progress = progress
  }
}

extension SQLiteStore {
  /// The number of ended notifications that are kept.
  package static let keptNotifications = 10_000

  private static let positionKey = "alerts"

  /// Returns the position after which crossings are evaluated. The first call begins after the last record.
  package func alertPosition() throws(StoreError) -> UInt64 {
    try startPosition(of: Self.positionKey)
  }

  /// Forgets the position and every progress, because there are no alerts. Later ones then begin with later crossings.
  package func removeAlerts() throws(StoreError) {
    let isSet = try read { database in
      try database.tableExists("alert_progress")
        && Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM meta WHERE key = ?)", arguments: [Self.positionKey])
          ?? false
    }
    guard isSet else { return }
    try write { database in
      try database.execute(
        sql: "DELETE FROM meta WHERE key = ? OR key LIKE 'pause %'", arguments: [Self.positionKey])
      try database.execute(sql: "DELETE FROM alert_progress")
      try database.execute(
        sql: """
          UPDATE notification SET status = 'withdrawn', reason = 'there are no alerts any more'
          WHERE status = 'waiting'
          """)
    }
  }

  /// Erases the progress of alerts that no longer exist.
  package func eraseAlertProgress(exceptAlerts alerts: [String]) throws(StoreError) {
    try write { database in
      let marks = alerts.map { _ in "?" }.joined(separator: ", ")
      try database.execute(
        sql: "DELETE FROM alert_progress WHERE alert NOT IN (\(marks))",
        arguments: StatementArguments(alerts))
    }
  }

  /// Returns the progress of some devices, and that of all devices together.
  package func alertProgress(of devices: Set<DeviceID>) throws(StoreError) -> [StoredAlertProgress] {
    try read { try Self.progress(of: devices, in: $0) }
  }

  private static func progress(
    of devices: Set<DeviceID>, in database: Database
  ) throws -> [StoredAlertProgress] {
    let marks = devices.map { _ in "?" }.joined(separator: ", ")
    return try Row.fetchAll(
      database,
      sql: """
        SELECT alert, name, progress FROM alert_progress LEFT JOIN device ON device.id = alert_progress.device
        WHERE alert_progress.device = 0 OR name IN (\(marks))
        """, arguments: StatementArguments(devices.map(\.rawValue))
    ).map { row in
      StoredAlertProgress(
        alert: row[0], device: (row[1] as String?).map { DeviceID(rawValue: $0) }, progress: row[2])
    }
  }

  /// Stores the results of an evaluation, in one transaction that survives a power cut.
  ///
  /// - Parameters:
  ///   - position: the position of the last evaluated record.
  ///   - records: the evaluated records: all that the store has between the first and the last of them.
  ///   - known: the progress of the records' devices and of all together, by which the records were evaluated.
  ///   - progress: the changed progress.
  ///   - notifications: the new notifications. One that the store has already is ignored.
  ///   - revoked: the crossings that did not happen, whose waiting notifications are withdrawn.
  ///   - now: the present time.
  /// - Returns: whether the results were stored. Nothing is stored if a record or a progress was erased meanwhile: the
  ///   results would bring an erased crossing back, and its device.
  package func commitAlerts(
    through position: UInt64, of records: [OrderedFenceRecord], by known: [StoredAlertProgress],
    progress: [StoredAlertProgress], notifications: [StoredNotification],
    revoked: [(device: DeviceID, event: FenceEvent.ID)], at now: UTCTime
  ) throws(StoreError) -> Bool {
    try write { database -> Bool in
      guard try Self.hasAll(records, in: database),
        try Set(Self.progress(of: Set(records.map(\.device)), in: database)) == Set(known)
      else { return false }
      try database.execute(
        sql: "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        arguments: [Self.positionKey, Int64(clamping: position)])
      for entry in progress { try Self.store(entry, in: database) }
      for (device, event) in revoked { try Self.withdraw(device, event, at: now, in: database) }
      for notification in notifications { try Self.insert(notification, in: database) }
      if !notifications.isEmpty { try Self.dropOldNotifications(in: database) }
      return true
    }
  }

  private static func hasAll(_ records: [OrderedFenceRecord], in database: Database) throws -> Bool {
    guard let first = records.first, let last = records.last else { return true }
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM fence_record_order JOIN fence_record USING (device, number)
        JOIN device ON device.id = fence_record.device WHERE position BETWEEN ? AND ?
        """, arguments: [Int64(clamping: first.position), Int64(clamping: last.position)])
    return count == records.count
  }

  private static func store(_ entry: StoredAlertProgress, in database: Database) throws {
    let device = try entry.device.map { try rowID(of: $0, in: database) } ?? 0
    guard let progress = entry.progress else {
      try database.execute(
        sql: "DELETE FROM alert_progress WHERE alert = ? AND device = ?", arguments: [entry.alert, device])
      return
    }
    try database.execute(
      sql: """
        INSERT INTO alert_progress (alert, device, progress) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET progress = excluded.progress
        """, arguments: [entry.alert, device, progress])
  }

  private static func withdraw(
    _ device: DeviceID, _ event: FenceEvent.ID, at now: UTCTime, in database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE notification SET status = 'withdrawn', ended = ?, reason = 'the crossing did not happen'
        WHERE status = 'waiting' AND type <> 'revoked' AND event = ?
          AND device = (SELECT id FROM device WHERE name = ?)
        """,
      arguments: [now.nanosecondsSince1970, Int64(clamping: event.number), device.rawValue])
  }

  private static func insert(_ notification: StoredNotification, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO notification (
          key, alert, channel, device, number, event, type, time, steps, is_joint, created, not_before
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
      arguments: [
        notification.key, notification.alert, notification.channel,
        try rowID(of: notification.device, in: database), Int64(clamping: notification.number),
        Int64(clamping: notification.event.number), notification.kind.rawValue,
        notification.time.nanosecondsSince1970, notification.steps, notification.isJoint,
        notification.created.nanosecondsSince1970, notification.notBefore.nanosecondsSince1970,
      ])
  }

  private static func dropOldNotifications(in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM notification WHERE status <> 'waiting'
          AND id <= (SELECT max(id) FROM notification) - ?
        """, arguments: [keptNotifications])
  }
}
