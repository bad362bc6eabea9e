import Whereabouts

/// The erasure of alerts' progress and notifications. Data that all devices share is erased with each of them.
extension Eraser {
  /// Erases the rows of a device.
  mutating func eraseAlerts(of device: Int64) throws(StoreError) {
    try eraseAlertProgress(of: device)
    try erase("DELETE FROM notification WHERE device = ? OR is_joint", of: device)
  }

  /// Erases the notifications of crossings in a span, and the progress, which may hold such crossings.
  mutating func eraseAlerts(from: Int64, to: Int64, of device: Int64) throws(StoreError) {
    try eraseAlertProgress(of: device)
    try erase(
      "DELETE FROM notification WHERE (device = ?1 OR is_joint) AND time >= ?2 AND time < ?3", of: device,
      from, to)
  }

  private mutating func eraseAlertProgress(of device: Int64) throws(StoreError) {
    try erase("DELETE FROM alert_progress WHERE device = ? OR device = 0", of: device)
  }
}
