import Foundation
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// A temporary store, removed with the fixture.
final class TokenFixture: Sendable {
  let folder: String
  let store: SQLiteStore

  init() throws {
    folder = NSTemporaryDirectory() + "whereabouts-tokens-" + UUID().uuidString
    store = try SQLiteStore.open(at: folder + "/store.sqlite")
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A registry whose passwords cost little. The registry keeps the fixture alive, by its check of passwords.
  func registry(
    zones: ZoneRegistry? = nil,
    check: @escaping @Sendable ([UInt8], PasswordRecord) -> Bool = { $1.matches($0) }
  ) throws -> TokenRegistry {
    try TokenRegistry(
      store, passwordCost: 4,
      passwords: PasswordVerifier { [self] password, record in
        withExtendedLifetime(self) { check(password, record) }
      },
      zones: zones)
  }

  /// A registry as another process has one.
  func otherRegistry() throws -> TokenRegistry { try TokenRegistry(otherStore(), passwordCost: 4) }

  func otherStore() throws -> SQLiteStore { try SQLiteStore.open(at: folder + "/store.sqlite") }

  /// Whether any file of the store holds some bytes.
  func holds(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
      FileManager.default.contents(atPath: folder + "/" + name)?.range(of: Data(text.utf8)) != nil
    }
  }
}

/// The time a number of seconds after the start of the tests.
func t(_ seconds: Int64) -> UTCTime {
  UTCTime(nanosecondsSince1970: (1_700_000_000 + seconds) * 1_000_000_000)
}

extension TokenTerms {
  static let phone = TokenTerms(device: "phone", scopes: [.read, .write])
}
