import GRDB
import Whereabouts

/// The erasure of the server's rows. Any process that erases also erases these, even without the server target.
///
/// A rejected row was never understood. The row may hold data of any time before its arrival, and without a device the
/// row may hold data of any device. Erasure therefore errs on the side of erasing more of them.
extension Eraser {
  /// Erases the rows that belong to no device: rejected rows, shared fences, and the alerts' progress of all devices
  /// together. Notifications of any device are erased, too. Tokens and privacy zones for every device stay: they are
  /// settings, and protect later data.
  mutating func eraseServerData() throws(StoreError) {
    try erase("DELETE FROM rejected_row")
    try erase("DELETE FROM shared_fence")
    try eraseAlerts()
  }

  /// Erases the rows of a device, with its tokens, its privacy zones and the name of its phone.
  mutating func eraseServerData(of device: Int64) throws(StoreError) {
    for table in ServerSchema.tablesByDevice {
      try erase("DELETE FROM \(table) WHERE device = ?", of: device)
    }
    try erase("DELETE FROM rejected_row WHERE device IS NULL")
    try erase("DELETE FROM meta WHERE key = 'phone ' || ?", of: device)
  }

  /// Erases the rejected rows that may hold data of a span.
  mutating func eraseRejectedRows(from: Int64, of device: Int64) throws(StoreError) {
    try erase(
      "DELETE FROM rejected_row WHERE (device = ?1 OR device IS NULL) AND arrived >= ?2", of: device, from)
  }
}
