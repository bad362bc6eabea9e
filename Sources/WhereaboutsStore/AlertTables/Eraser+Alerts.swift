import Foundation
import GRDB
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// The erasure of alerts' progress and notifications.
///
/// Those of an alert that counts its devices as one name crossings of several devices. They are erased only if they
/// depend on an erased crossing, or can't be read.
extension Eraser {
  /// Erases the rows of every device.
  mutating func eraseAlerts() throws(StoreError) {
    try erase("DELETE FROM alert_progress")
    try erase("DELETE FROM notification")
  }

  /// Erases the rows of a device whose records are erased.
  mutating func eraseAlerts(of device: Int64) throws(StoreError) {
    try eraseAlertProgress(of: device)
    try erase("DELETE FROM notification WHERE device = ?", of: device)
    try eraseNotificationsAfterErasedSteps(of: device)
  }

  /// Erases the notifications of crossings in a span whose records are erased, and the device's own progress, which may
  /// hold such crossings.
  mutating func eraseAlerts(from: Int64, to: Int64, of device: Int64) throws(StoreError) {
    try eraseAlertProgress(of: device)
    // A crossing outside of the span is erased with its fix.
    try erase(
      """
      DELETE FROM notification WHERE device = ?1 AND (time >= ?2 AND time < ?3 OR NOT EXISTS (
        SELECT 1 FROM fence_record WHERE device = ?1 AND fence_record.number = notification.number))
      """, of: device, from, to)
    try eraseNotificationsAfterErasedSteps(of: device)
  }

  // MARK: Progress

  private mutating func eraseAlertProgress(of device: Int64) throws(StoreError) {
    try erase("DELETE FROM alert_progress WHERE device = ?", of: device)
    // Device 0: all devices together.
    try eraseRows { database in
      let crossings = try ErasedCrossings(of: device, in: database)
      let rows = try Row.fetchAll(
        database, sql: "SELECT alert, progress FROM alert_progress WHERE device = 0")
      return try rows.filter { row in
        try Self.eraseJointProgress(of: row[0], row[1], crossings, in: database)
      }.count
    }
  }

  /// - Returns: whether the progress has changed.
  private static func eraseJointProgress(
    of alert: String, _ text: String, _ crossings: ErasedCrossings, in database: Database
  ) throws -> Bool {
    var rest: String?
    // A progress that can't be read is of no use to the alert either.
    if var progress = try? JSONDecoder().decode(AlertProgress.self, from: Data(text.utf8)) {
      let known = progress
      try progress.forget { try crossings.contains($0, in: database) }
      guard progress != known else { return false }
      if !progress.isEmpty { rest = String(decoding: try JSONEncoder().encode(progress), as: UTF8.self) }
    }
    if let rest {
      try database.execute(
        sql: "UPDATE alert_progress SET progress = ? WHERE alert = ? AND device = 0",
        arguments: [rest, alert])
    } else {
      try database.execute(
        sql: "DELETE FROM alert_progress WHERE alert = ? AND device = 0", arguments: [alert])
    }
    return true
  }

  // MARK: Notifications

  /// Erases the notifications one of whose earlier steps is an erased crossing, also those of other devices.
  ///
  /// After the progress: a notification that is stored later does not depend on the erased crossing.
  private mutating func eraseNotificationsAfterErasedSteps(of device: Int64) throws(StoreError) {
    let erased = try store.read { database -> [Int64] in
      let crossings = try ErasedCrossings(of: device, in: database)
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT id, steps FROM notification WHERE (device = ? OR is_joint) AND steps <> '[]'",
        arguments: [device])
      return try rows.filter { row in
        let text: String = row[1]
        let steps = try? JSONDecoder().decode([AlertCrossing.Reference].self, from: Data(text.utf8))
        return try steps?.contains { try crossings.contains($0, in: database) } ?? true
      }.map { $0[0] as Int64 }
    }
    guard !erased.isEmpty else { return }
    try eraseRows { database in
      let deletion = try database.makeStatement(sql: "DELETE FROM notification WHERE id = ?")
      for id in erased { try deletion.execute(arguments: [id]) }
      return erased.count
    }
  }
}

/// The crossings of a device whose records are erased.
private struct ErasedCrossings {
  /// The number of the device in the store.
  private let device: Int64
  /// The name of the device; `nil` if the device is erased.
  private let name: DeviceID?

  init(of device: Int64, in database: Database) throws {
    self.device = device
    name = try String.fetchOne(database, sql: "SELECT name FROM device WHERE id = ?", arguments: [device])
      .map { DeviceID(rawValue: $0) }
  }

  /// Returns whether a crossing is an erased one of the device. No number is used twice.
  func contains(_ crossing: AlertCrossing.Reference, in database: Database) throws -> Bool {
    guard crossing.device == name else { return false }
    return try Int.fetchOne(
      database, sql: "SELECT 1 FROM fence_record WHERE device = ? AND number = ?",
      arguments: [device, Int64(clamping: crossing.number)]) == nil
  }
}
