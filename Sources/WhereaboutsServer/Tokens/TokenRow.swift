import Crypto
import Foundation
import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// A token with its stored proof.
struct StoredToken: Sendable {
  enum Proof: Sendable {
    /// The HMAC of a random secret.
    case secret(prefix: String, hash: [UInt8])
    case password(PasswordRecord)
  }

  let token: AccessToken
  let proof: Proof
}

/// The rows of the tables `token` and `server_secret`.
enum TokenRow {
  private static let columns = """
    token.id, label, token.device, device.name, scopes, accuracy_cap, created, expires, prefix, hash, salt, cost,
    """

  /// Returns every token, oldest first. A token of an erased device is left out, never read as one for every device.
  static func all(_ database: Database) throws -> [StoredToken] { try rows(database).compactMap(stored) }

  /// Returns a fault for each token that can't be read, or whose scopes are not known.
  static func faults(_ database: Database) throws -> [StoreFault] {
    try rows(database).filter(isDamaged).map { row in
      let id: Int64 = row[0], label: String = row[1]
      var fault = StoreFault(.row, "token \(id) (\(label)) can't be read, or has unknown scopes")
      fault.command = ["token", "revoke", "\(id)"]
      return fault
    }
  }

  private static func isDamaged(_ row: Row) -> Bool {
    // A token of an erased device is a fault of its own.
    guard (row[2] as Int64?) == nil || (row[3] as String?) != nil else { return false }
    let scopes = (row[4] as String).split(separator: " ")
    return stored(row) == nil || scopes.isEmpty
      || scopes.contains { AccessToken.Scope(rawValue: String($0)) == nil }
  }

  private static func rows(_ database: Database) throws -> [Row] {
    guard try database.tableExists("token") else { return [] }
    // A file of an older version, opened for reading, lacks columns.
    let present = try database.columns(in: "token").map(\.name)
    let later = ["since", "link"].map { present.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
    return try Row.fetchAll(
      database,
      sql: """
        SELECT \(columns) \(later) FROM token LEFT JOIN device ON device.id = token.device ORDER BY token.id
        """)
  }

  private static func stored(_ row: Row) -> StoredToken? {
    let name = row[3] as String?
    guard (row[2] as Int64?) == nil || name != nil else { return nil }
    // An unknown scope of another version grants nothing.
    let scopes = (row[4] as String).split(separator: " ").compactMap {
      AccessToken.Scope(rawValue: String($0))
    }
    let label: String = row[1]
    var terms = TokenTerms(
      label: label, device: name.map(DeviceID.init(rawValue:)), scopes: Set(scopes), accuracyCap: row[5],
      expires: (row[7] as Int64?).map(UTCTime.init(nanosecondsSince1970:)),
      since: (row[12] as Int64?).map(UTCTime.init(nanosecondsSince1970:)))
    if let link = row[13] as String? {
      // Rather no link than one without its conditions.
      guard let link = try? JSONDecoder().decode(LinkTerms.self, from: Data(link.utf8)) else { return nil }
      terms.link = link
    }
    let hash = Array(row[9] as Data)
    let known = terms
    func token(_ credential: AccessToken.Credential) -> AccessToken {
      AccessToken(
        id: row[0], terms: known, created: UTCTime(nanosecondsSince1970: row[6]), credential: credential)
    }
    if let prefix = row[8] as String? {
      return StoredToken(
        token: token(.secret(hint: TokenSecret.hint(prefix: prefix))),
        proof: .secret(prefix: prefix, hash: hash))
    }
    guard let salt = row[10] as Data?, let cost = row[11] as Int?, PasswordRecord.costs.contains(cost) else {
      return nil
    }
    return StoredToken(
      token: token(.password(user: label)),
      proof: .password(PasswordRecord(salt: Array(salt), cost: cost, hash: hash)))
  }

  /// - Returns: the number of the new token.
  static func insert(
    _ terms: TokenTerms, _ proof: StoredToken.Proof, at time: UTCTime, into database: Database
  ) throws -> Int64 {
    let device = try terms.device.map { try SQLiteStore.rowID(of: $0, in: database) }
    let scopes = terms.scopes.sorted().map(\.rawValue).joined(separator: " ")
    let (prefix, hash, salt, cost): (String?, [UInt8], [UInt8]?, Int?) =
      switch proof {
      case .secret(let prefix, let hash): (prefix, hash, nil, nil)
      case .password(let record): (nil, record.hash, record.salt, record.cost)
      }
    try database.execute(
      sql: """
        INSERT INTO token
          (label, device, scopes, accuracy_cap, created, expires, since, link, prefix, hash, salt, cost)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        terms.label, device, scopes, terms.accuracyCap, time.nanosecondsSince1970,
        terms.expires?.nanosecondsSince1970, terms.since?.nanosecondsSince1970,
        try terms.link.map { try Self.text($0) }, prefix, Data(hash),
        salt.map { Data($0) }, cost,
      ])
    return database.lastInsertedRowID
  }

  private static func text(_ link: LinkTerms) throws -> String {
    String(decoding: try JSONEncoder().encode(link), as: UTF8.self)
  }

  static func hasSecret(prefix: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM token WHERE prefix = ?)", arguments: [prefix]) ?? false
  }

  static func hasUser(_ name: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM token WHERE label = ? AND salt IS NOT NULL)",
      arguments: [name]) ?? false
  }

  // MARK: The store's key

  static func key(_ database: Database) throws -> SymmetricKey? {
    guard try database.tableExists("server_secret") else { return nil }
    return try Data.fetchOne(database, sql: "SELECT key FROM server_secret").map { SymmetricKey(data: $0) }
  }

  /// Returns the key, and creates a missing key.
  static func madeKey(_ database: Database) throws -> SymmetricKey {
    if let key = try key(database) { return key }
    let key = SymmetricKey(size: .bits256)
    try database.execute(
      sql: "INSERT INTO server_secret (id, key) VALUES (1, ?)",
      arguments: [key.withUnsafeBytes { Data($0) }])
    return key
  }
}
