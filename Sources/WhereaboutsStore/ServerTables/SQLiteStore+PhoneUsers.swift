import GRDB
package import Whereabouts

/// The OwnTracks phones behind devices, so that two users' phones of one name are never one device.
extension SQLiteStore {
  /// Returns the device of a phone: the one that it had before. Without one, it is the last that the store has and that
  /// is no other phone's, or else the first that is no other phone's.
  ///
  /// - Parameters:
  ///   - name: the name of the phone.
  ///   - user: the name of its user.
  ///   - devices: the devices that the phone may have: the shortest name first, that with its user last.
  ///   - reserved: those of the devices that this phone may not have, unless it had them before.
  ///   - claims: whether the device is the phone's from now on, which survives a power cut.
  /// - Returns: the device, and whether it became the phone's with this call; `nil` if each of the devices is another
  ///   phone's, or reserved.
  package func device(
    ofPhone name: String, of user: String, among devices: [DeviceID], besides reserved: [DeviceID] = [],
    claims: Bool
  ) throws(StoreError) -> (device: DeviceID, isNew: Bool)? {
    // No name has control characters.
    let phone = "\(user)\t\(name)"
    let known = try readSingly { database in
      try Self.choice(of: phone, among: devices, besides: reserved, in: database)
    }
    guard claims, let known, !known.isClaimed else { return known.map { ($0.device, false) } }
    return try write { database -> (device: DeviceID, isNew: Bool)? in
      // Another request may have been faster.
      let choice = try Self.choice(of: phone, among: devices, besides: reserved, in: database)
      guard let choice, !choice.isClaimed else { return choice.map { ($0.device, false) } }
      let id = try Self.rowID(of: choice.device, in: database)
      try database.execute(
        sql: "INSERT INTO meta (key, value) VALUES (?, ?)", arguments: ["phone \(id)", phone])
      return (choice.device, true)
    }
  }

  private static func choice(
    of phone: String, among devices: [DeviceID], besides reserved: [DeviceID], in database: Database
  ) throws -> (device: DeviceID, isClaimed: Bool)? {
    var free: DeviceID?
    // Each message of a phone asks for its device: to compile the statement anew would take a tenth of the request.
    let statement = try database.cachedStatement(
      sql: """
        SELECT meta.value FROM device LEFT JOIN meta ON meta.key = 'phone ' || device.id WHERE device.name = ?
        """)
    for device in devices {
      let row = try Row.fetchOne(statement, arguments: [device.rawValue])
      let owner = row.flatMap { $0[0] as String? }
      if owner == phone { return (device, true) }
      // An import has given the past of the phone the name with its user.
      if owner == nil, !reserved.contains(device), free == nil || row != nil { free = device }
    }
    return free.map { ($0, false) }
  }
}
