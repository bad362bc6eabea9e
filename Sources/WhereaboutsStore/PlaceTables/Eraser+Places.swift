import Whereabouts

/// The erasure of places.
extension Eraser {
  /// Erases the places of a device.
  mutating func erasePlaces(of device: Int64) throws(StoreError) {
    for table in PlaceSchema.tablesByDevice {
      try erase("DELETE FROM \(table) WHERE device = ?", of: device)
    }
  }

  /// Erases the places that are known by visits of a span alone.
  mutating func erasePlaces(from: Int64, to: Int64, of device: Int64) throws(StoreError) {
    try erase(
      "DELETE FROM place WHERE device = ?1 AND coalesce(first, ?2) >= ?2 AND coalesce(last, ?2) < ?3",
      of: device, from, to)
  }
}
