public import Whereabouts
public import WhereaboutsCore

extension SQLiteStore {
  /// For how long something was asked of a device's source, in the order of time: spells that reach into a span; all of
  /// them where `nil`, those of which nobody knows when they were included.
  public func spells(of device: DeviceID, in span: Range<UTCTime>? = nil) throws(StoreTrouble)
    -> [ReceiverSpell]
  {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      return try reader.spells().filter { spell in
        guard let span else { return true }
        guard let began = spell.began, let end = spell.end else { return false }
        return began < span.upperBound && end > span.lowerBound
      }
    }
  }
}

extension DeviceReader {
  func spells() throws -> [ReceiverSpell] {
    let rows = try statement(
      "SELECT \(SpellRow.selected) FROM spell WHERE device = ? ORDER BY coalesce(began, 0), number")
    var spells: [ReceiverSpell] = []
    while try rows.step() { spells.append(SpellRow.spell(of: rows)) }
    return spells
  }

  /// The one with the greatest number.
  func lastSpell() throws -> ReceiverSpell? {
    let row = try statement(
      "SELECT \(SpellRow.selected) FROM spell WHERE device = ? ORDER BY number DESC LIMIT 1")
    guard try row.step() else { return nil }
    defer { row.reset() }
    return SpellRow.spell(of: row)
  }
}
