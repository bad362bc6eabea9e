import Foundation
import Testing
import Whereabouts

@testable import WhereaboutsServer

/// Wrong passwords delay further attempts of their user and of their address.
@Suite struct PasswordDelayTests {
  /// Behind a proxy all users have its address.
  @Test func wrongPasswordDelaysItsUserOnly() async throws {
    try await TestServer.run { server in
      for user in ["ann", "bob"] { try await server.addUser(user) }
      var answer = 401
      for _ in 0..<40 where answer == 401 { answer = try await server.status("ann", "wrong horse") }
      #expect(answer == 429)
      #expect(try await server.status("bob", "correct horse") == 200)
      // One password with many names.
      #expect(try await server.statusAfterWrongNames() == 429)
    }
  }

  /// Otherwise a password can be tried with many names without a delay, while a phone sends from the same address.
  @Test func successOfAUserDoesNotForgetTheFailuresOfOthers() async throws {
    try await TestServer.run { server in
      try await server.addUser("bob")
      #expect(try await server.status("bob", "correct horse") == 200)
      let answer = try await server.statusAfterWrongNames {
        _ = try await server.status("bob", "correct horse")
      }
      #expect(answer == 429)
    }
  }

  @Test func knownPasswordIsNotDelayedByWrongOnes() async throws {
    try await TestServer.run { server in
      try await server.addUser("bob")
      #expect(try await server.status("bob", "correct horse") == 200)
      #expect(try await server.statusAfterWrongNames() == 429)
      for _ in 0..<8 { #expect(try await server.status("bob", "correct horse") == 200) }
      // Otherwise the delays would not hold up guesses of a password in use.
      var answer = 200
      for round in 0..<40 where answer == 200 {
        for number in 0..<12 { _ = try await server.status("bob", "guess \(round) \(number)") }
        answer = try await server.status("bob", "correct horse")
      }
      #expect(answer == 429)
    }
  }

  /// Otherwise one password could be compared with those of many users during a delay of the address.
  @Test func wrongPasswordsOfManyUsersDelayTheirComparisons() async throws {
    try await TestServer.run { server in
      let users = (0..<10).map { "user\($0)" }
      for user in users { try await server.addUser(user) }
      for user in users { #expect(try await server.status(user, "correct horse") == 200) }
      #expect(try await server.statusAfterWrongNames() == 429)
      var answer = 200
      for _ in 0..<40 where answer == 200 {
        for user in users.dropFirst() { _ = try await server.status(user, "wrong horse") }
        answer = try await server.status(users[0], "correct horse")
      }
      #expect(answer == 429)
    }
  }

  /// A wrong password delays the address that a trusted proxy names, and anybody else's field counts for nothing.
  @Test(arguments: [("127.0.0.1", 200), ("192.0.2.0/24", 429)])
  func wrongPasswordsBehindATrustedProxyDelayTheirAddress(_ proxies: String, _ expected: Int) async throws {
    var settings = ServerSettings.test
    settings.trustedProxies = try #require(TrustedProxies(SettingText(text: proxies)))
    try await TestServer.run(settings) { server in
      try await server.addUser("bob")
      #expect(try await server.statusAfterWrongNames(forwarded: "198.51.100.1, 192.0.2.1") == 429)
      #expect(try await server.status("bob", "correct horse", forwarded: "198.51.100.1") == expected)
    }
  }

  /// Names that are too long for a user are remembered as one short name.
  @Test func longNamesCountAsOne() async throws {
    try await TestServer.run { server in
      try await server.addUser("bob")
      // 90 characters of 2 bytes.
      let long = String(repeating: "é", count: 90)
      for number in 0..<6 { _ = try await server.status("\(long)\(number)", "wrong horse") }
      #expect(try await server.status("bob", "correct horse") == 200)
    }
  }
}

extension TestServer {
  /// Adds a user with the password "correct horse", whose device has the user's name.
  fileprivate func addUser(_ name: String) async throws {
    let terms = TokenTerms(label: name, device: DeviceID(rawValue: name), scopes: [.write])
    _ = try await tokens.create(terms, password: "correct horse", at: .now)
  }

  /// Returns the status of the response to a user's password.
  ///
  /// - Parameter forwarded: the field `X-Forwarded-For`; `nil` for none.
  fileprivate func status(_ user: String, _ password: String, forwarded: String? = nil) async throws -> Int {
    let basic = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    let headers = [("Authorization", basic)] + (forwarded.map { [("X-Forwarded-For", $0)] } ?? [])
    return try await get("/api/v1/token", headers: headers).status
  }

  /// Tries a wrong password under new names, at most 40, until the server refuses to compare it. Returns the last status.
  ///
  /// - Parameters:
  ///   - forwarded: the field `X-Forwarded-For`; `nil` for none.
  ///   - afterEach: called after each name.
  fileprivate func statusAfterWrongNames(
    forwarded: String? = nil, afterEach: () async throws -> Void = {}
  ) async throws -> Int {
    var answer = 401
    for number in 0..<40 where answer == 401 {
      answer = try await status("name\(number)", "wrong horse", forwarded: forwarded)
      try await afterEach()
    }
    return answer
  }
}
