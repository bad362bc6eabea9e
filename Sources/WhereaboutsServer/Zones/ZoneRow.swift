import GRDB
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsStore

/// The rows of the table `privacy_zone`.
enum ZoneRow {
  private static let columns = """
    privacy_zone.name, privacy_zone.device, device.name, lat, lon, radius, coarse, cover_lat, cover_lon, cover_radius
    """

  /// Returns every zone, in the order of names. A zone of an erased device is left out.
  ///
  /// - Throws: an error if a row is unreadable: without its zone, a place would be disclosed.
  static func all(_ database: Database) throws -> [PrivacyZone] { try rows(database).compactMap(zone) }

  /// Returns a fault for each zone that can't be read.
  static func faults(_ database: Database) throws -> [StoreFault] {
    try rows(database).compactMap { row -> StoreFault? in
      guard (try? zone(row)) == nil, (row[1] as Int64?) == nil || (row[2] as String?) != nil else {
        return nil
      }
      let name: String = row[0]
      var fault = StoreFault(.row, "privacy zone \(name): a number is out of range")
      fault.command = ["zone", "remove", name]
      return fault
    }
  }

  private static func rows(_ database: Database) throws -> [Row] {
    guard try database.tableExists("privacy_zone") else { return [] }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT \(columns) FROM privacy_zone LEFT JOIN device ON device.id = privacy_zone.device
        ORDER BY privacy_zone.name
        """)
  }

  private static func zone(_ row: Row) throws -> PrivacyZone? {
    let device = (row[2] as String?).map(DeviceID.init(rawValue:))
    guard (row[1] as Int64?) == nil || device != nil else { return nil }
    guard let center = Coordinate(latitude: row[3], longitude: row[4]),
      let coverCenter = Coordinate(latitude: row[7], longitude: row[8]),
      let cover = try? Area.Circle(center: coverCenter, radius: row[9])
    else {
      let name: String = row[0]
      throw StoreError(
        .corrupt, message: "read the privacy zone \(name): a number is out of range; remove and add the zone")
    }
    return PrivacyZone(
      name: row[0], center: center, radius: row[5],
      policy: (row[6] as Double?).map(PrivacyZone.Policy.coarsen) ?? .hide, device: device, cover: cover)
  }

  static func insert(_ zone: PrivacyZone, into database: Database) throws {
    let device = try zone.device.map { try SQLiteStore.rowID(of: $0, in: database) }
    let coarse: Double? = if case .coarsen(let metres) = zone.policy { metres } else { nil }
    try database.execute(
      sql: """
        INSERT INTO privacy_zone
          (name, device, lat, lon, radius, coarse, cover_lat, cover_lon, cover_radius)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        zone.name, device, zone.center.latitude, zone.center.longitude, zone.radius, coarse,
        zone.cover.center.latitude, zone.cover.center.longitude, zone.cover.radius,
      ])
  }

  static func exists(_ name: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM privacy_zone WHERE name = ?)", arguments: [name]) ?? false
  }
}
