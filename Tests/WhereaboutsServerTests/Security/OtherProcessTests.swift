import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsServer

/// Tokens and privacy zones that a command changes while the server runs.
@Suite struct OtherProcessTests {
  @Test func tokenIsRevokedAtOnce() async throws {
    try await TestServer.run { server in
      let (token, secret) = try server.tokens.create(
        TokenTerms(device: "anna", scopes: [.write]), at: .now)
      #expect(try await server.post("/overland", Batches.overland([0]), token: secret).status == 200)
      // As a command does, in another process.
      try TokenRegistry(server.store).revoke(token.id)
      // The server looks for changes about once a second.
      var status = 200
      while status == 200 {
        status = try await server.post("/overland", Batches.overland([0]), token: secret).status
      }
      #expect(status == 401)
    }
  }

  /// Several times, because the server looks for changes about once a second.
  @Test func newPasswordIsValidAtOnce() async throws {
    try await TestServer.run { server in
      func status(_ user: String, _ password: String) async throws -> Int {
        let headers = [("Authorization", "Basic \(server.basic(user, password))")]
        return try await server.get("/api/v1/token", headers: headers).status
      }
      // As commands do, in another process.
      let tokens = try TokenRegistry(server.store, passwordCost: 4)
      for user in ["ann", "bob", "cem"] {
        let terms = TokenTerms(label: user, device: "anna", scopes: [.write])
        let first = try await tokens.create(terms, password: "correct horse", at: .now)
        #expect(try await status(user, "correct horse") == 200)
        try tokens.revoke(first.id)
        _ = try await tokens.create(terms, password: "battery staple", at: .now)
        #expect(try await status(user, "battery staple") == 200)
        #expect(try await status(user, "correct horse") == 401)
      }
    }
  }

  /// The zones that a command has added before hold for each new token, whether a command or the server has made it: a
  /// link that the server makes must not show the place.
  @Test(arguments: [true, false])
  func newTokenIsValidAtOnceWithTheZonesBeforeIt(isOfAnotherProcess: Bool) async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      _ = try await server.post("/overland", Batches.overland([0]), token: writer)
      let home = try #require(Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
      var random = SystemRandomNumberGenerator()
      // As commands do, in another process. Several times, because the server looks for changes about once a second.
      for number in 1...4 {
        let zone = try PrivacyZone(
          name: "zone \(number)", center: home, radius: 100, policy: .hide, device: "anna", using: &random)
        let zones = try ZoneRegistry(server.store)
        try zones.add(zone)
        let tokens = isOfAnotherProcess ? try TokenRegistry(server.store) : server.tokens
        let reader = try tokens.create(TokenTerms(device: "anna", scopes: [.read]), at: .now).secret
        #expect(try await server.get("/api/v1/devices/anna/fix", token: reader).status == 404)
        #expect(try await server.get("/api/v1/devices", token: reader).status == 200)
        try zones.remove(zone.name)
      }
    }
  }
}
