public import Whereabouts
public import WhereaboutsEngine
public import WhereaboutsModel

extension SQLiteStore {
  /// Returns a device's receiver usages that overlap a span, in order of time. `nil` returns all usages, including
  /// those without a known time.
  public func receiverUsages(of device: DeviceID, in span: Range<UTCTime>? = nil) throws(StoreError)
    -> [ReceiverUsage]
  {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      return try reader.receiverUsages().filter { usage in
        guard let span else { return true }
        guard let began = usage.began, let end = usage.end else { return false }
        return began < span.upperBound && end > span.lowerBound
      }
    }
  }
}

extension DeviceReader {
  func receiverUsages() throws -> [ReceiverUsage] {
    let rows = try statement(
      "SELECT \(ReceiverUsageRow.selected) FROM receiver_usage WHERE device = ? ORDER BY coalesce(began, 0), number"
    )
    var usages: [ReceiverUsage] = []
    while try rows.step() { usages.append(ReceiverUsageRow.usage(of: rows)) }
    return usages
  }

  /// Returns the usage with the greatest number.
  func lastReceiverUsage() throws -> ReceiverUsage? {
    let row = try keptStatement(
      "SELECT \(ReceiverUsageRow.selected) FROM receiver_usage WHERE device = ? ORDER BY number DESC LIMIT 1")
    guard try row.step() else { return nil }
    defer { row.reset() }
    return ReceiverUsageRow.usage(of: row)
  }
}
