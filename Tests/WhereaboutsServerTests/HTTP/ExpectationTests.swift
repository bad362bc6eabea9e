import Testing
import Whereabouts

@testable import WhereaboutsServer

/// Clients that send a body only after an interim answer, as curl does with bodies of more than 1 MB.
@Suite struct ExpectationTests {
  private static let fields = "Expect: 100-continue\r\nConnection: close\r\n"

  @Test func clientThatWaitsGetsAnInterimAnswer() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), body = Batches.ownTracks(distance: 0)
      let connection = try RawConnection(port: server.port)
      try connection.request(
        "POST", "/owntracks", token: token, length: body.utf8.count, fields: Self.fields)
      #expect(await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      try connection.send(body)
      let answer = await connection.read()
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }
  }

  /// The client need not send the body.
  @Test func bodyThatIsTooLargeIsRefusedAtOnce() async throws {
    var limits = ServerLimits()
    limits.bodySize = 2_000
    try await TestServer.run(limits: limits) { server in
      let token = try server.token("anna", [.write])
      let connection = try RawConnection(port: server.port)
      try connection.request("POST", "/owntracks", token: token, length: 3_000, fields: Self.fields)
      let answer = await connection.read(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
    }
  }
}
