import GRDB
import Whereabouts

/// The erasure of upload rows. Any process that erases also erases these, even without the upload targets.
extension Eraser {
  /// Erases the upload queues of every device.
  mutating func eraseUploads() throws(StoreError) { try erase("DELETE FROM upload_batch") }

  /// Erases the upload rows of a device.
  mutating func eraseUploads(of device: Int64) throws(StoreError) {
    for table in UploadSchema.tablesByDevice {
      try erase("DELETE FROM \(table) WHERE device = ?", of: device)
    }
    try renewUploadOrigins()
  }

  /// Erases the upload rows of a span.
  mutating func eraseUploads(from: Int64, to: Int64, of device: Int64) throws(StoreError) {
    // The next fix is judged by this fix; without it the next fix is sent.
    try erase(
      "UPDATE upload_cursor SET accepted = NULL WHERE device = ? AND accepted IS NOT NULL", of: device)
    try erase(
      "UPDATE upload_cursor SET time = ?2 WHERE device = ?1 AND time > ?2 AND time < ?3", of: device, from, to
    )
    try erase(
      "UPDATE upload_cursor SET scan_time = ?2 WHERE device = ?1 AND scan_time > ?2 AND scan_time < ?3",
      of: device, from, to)
    // A batch without times may hold data of the span.
    try erase(
      """
      DELETE FROM upload_batch WHERE device = ?1
        AND coalesce(last, ?2) >= ?2 AND coalesce(first, ?2) < ?3
      """, of: device, from, to)
  }

  /// Renews the upload origins. The numbers of an erased device restart, and servers must distinguish new items from
  /// old ones.
  private func renewUploadOrigins() throws(StoreError) {
    try store.write(erasing: true) {
      try $0.execute(sql: "UPDATE endpoint SET origin = lower(hex(randomblob(16)))")
    }
  }
}
