import Foundation
import NIOHTTP1
import Testing

/// Methods that a path does not know, and those that every path knows.
@Suite struct MethodTests {
  @Test(arguments: ["PATCH", "TRACE", "PROPFIND", "DELETE"])
  func unknownMethodIsAnsweredWithThoseOfThePath(_ method: String) async throws {
    try await TestServer.run { server in
      let response = try await server.send(method, "/api/v1/devices/this/fix")
      #expect(response.status == 405)
      #expect(response.headers["Allow"] == ["GET, HEAD, OPTIONS"])
    }
  }

  @Test(arguments: [
    ("/api/v1/fences", "GET, HEAD, OPTIONS, POST, PUT"), ("/api/v1/fences/a", "DELETE, GET, HEAD, OPTIONS"),
    ("/owntracks", "OPTIONS, POST"), ("/osmand", "GET, OPTIONS, POST"), ("/", "GET, HEAD, OPTIONS, POST"),
  ])
  func optionsListsTheMethods(_ path: String, _ methods: String) async throws {
    try await TestServer.run { server in
      let response = try await server.send("OPTIONS", path, token: nil)
      #expect(response.status == 204)
      #expect(response.headers["Allow"] == [methods])
    }
  }

  @Test func optionsOfTheServerListsEveryMethod() async throws {
    try await TestServer.run { server in
      let connection = try RawConnection(port: server.port)
      try connection.request("OPTIONS", "*", token: server.admin, fields: "Connection: close\r\n")
      let text = await connection.read()
      #expect(text.hasPrefix("HTTP/1.1 204 "), "\(text)")
      #expect(text.lowercased().contains("\r\nallow: delete, get, head, options, post, put\r\n"), "\(text)")
    }
  }

  @Test func headRequestStoresNothing() async throws {
    try await TestServer.run { server in
      let response = try await server.send("HEAD", "/osmand?id=anna&lat=1&lon=2")
      #expect(response.status == 405)
      #expect(try await server.send("GET", "/api/v1/devices").text == #"{"devices":[]}"#)
    }
  }

  @Test(arguments: ["/health", "/api/v1/devices", "/api/v1/fences", "/api/v1/openapi.json"])
  func headHasTheFieldsOfGet(_ path: String) async throws {
    try await TestServer.run { server in
      let head = try await server.send("HEAD", path), get = try await server.send("GET", path)
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(head.headers["Content-Length"] == ["\(get.body.count)"])
      #expect(head.headers["Content-Type"] == get.headers["Content-Type"])
    }
  }

  @Test func headOfTheStreamEnds() async throws {
    try await TestServer.run { server in
      let response = try await server.send("HEAD", "/api/v1/stream")
      #expect(response.status == 200)
      #expect(response.headers["Content-Type"] == ["text/event-stream"])
      #expect(response.headers["Content-Length"].isEmpty)
      // A proxy must pass each event on at once.
      #expect(response.headers["X-Accel-Buffering"] == ["no"])
    }
  }

  /// The length of a file is not known before its end, and nothing follows the fields.
  @Test func headOfAFileStatesNoLength() async throws {
    try await TestServer.run { server in
      #expect(try await server.send("GET", "/osmand?id=anna&lat=1&lon=2").status == 200)
      let connection = try RawConnection(port: server.port)
      try connection.request("HEAD", "/api/v1/devices/anna/fixes?format=gpx", token: server.admin)
      try connection.request("GET", "/health", token: server.admin, fields: "Connection: close\r\n")
      let text = await connection.read()
      let responses = text.components(separatedBy: "HTTP/1.1 200 OK\r\n")
      #expect(responses.count == 3 && responses.first == "", "\(text)")
      let file = try #require(responses.dropFirst().first)
      #expect(file.hasSuffix("\r\n\r\n") && !file.hasSuffix("\r\n0\r\n\r\n"), "\(text)")
      #expect(!file.lowercased().contains("content-length"), "\(text)")
      #expect(file.contains("application/gpx+xml"), "\(text)")
    }
  }
}
