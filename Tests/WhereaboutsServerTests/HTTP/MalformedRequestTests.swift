import Testing
import WhereaboutsServer

/// Requests that no client library sends. The server answers or closes the connection, and serves the next client.
@Suite struct MalformedRequestTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let request: String
    /// The statuses of the responses; empty for a closed connection.
    let statuses: [Int]
    var testDescription: String { name }
  }

  private static let token = "Authorization: Bearer admin\r\n"
  private static let end = "Host: a\r\nConnection: close\r\n\r\n"

  static let examples: [Example] = [
    Example(name: "nothing but garbage", request: "\u{0}\u{1}\u{2}\r\n\r\n", statuses: [400]),
    Example(name: "a TLS greeting", request: "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", statuses: [400]),
    Example(name: "an unknown method", request: "FROB /health HTTP/1.1\r\n" + end, statuses: [400]),
    Example(name: "no version", request: "GET /health\r\n\r\n", statuses: [400]),
    Example(
      name: "a header of 40 KiB",
      request: "GET /health HTTP/1.1\r\nX: \(String(repeating: "a", count: 40_000))\r\n" + end,
      statuses: [400]),
    Example(
      name: "a thousand headers",
      request: "GET /health HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 1_000) + end, statuses: [400]
    ),
    Example(
      name: "a path of 60 KiB",
      request: "GET /\(String(repeating: "a", count: 60_000)) HTTP/1.1\r\n" + end, statuses: [400]),
    Example(
      name: "a length that is no number",
      request: "POST /owntracks HTTP/1.1\r\n\(token)Content-Length: ten\r\n" + end, statuses: [400]),
    Example(
      name: "a negative length", request: "POST /owntracks HTTP/1.1\r\n\(token)Content-Length: -1\r\n" + end,
      statuses: [400]),
    Example(
      name: "a length beyond 64 bits",
      request: "POST /owntracks HTTP/1.1\r\n\(token)Content-Length: 99999999999999999999\r\n" + end,
      statuses: [400]),
    Example(
      name: "two lengths",
      request: "POST /owntracks HTTP/1.1\r\n\(token)Content-Length: 1\r\nContent-Length: 2\r\n\(end)aa",
      statuses: [400]),
    Example(
      name: "a length and chunks",
      request:
        "POST /owntracks HTTP/1.1\r\n\(token)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\(end)0\r\n\r\n",
      statuses: [400]),
    Example(
      name: "chunks that are none",
      request: "POST /owntracks HTTP/1.1\r\n\(token)Transfer-Encoding: chunked\r\n\(end)zzz\r\nnothing\r\n",
      statuses: [400]),
    Example(
      name: "an endless chunk size",
      request:
        "POST /owntracks HTTP/1.1\r\n\(token)Transfer-Encoding: chunked\r\n\(end)fffffffffffffffffff\r\n",
      statuses: [400]),
    Example(
      name: "a line feed in a header's name", request: "GET /health HTTP/1.1\r\nX\n y: a\r\n" + end,
      statuses: [400]),
    Example(name: "no host", request: "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", statuses: [200]),
    Example(name: "an absolute target", request: "GET http://a/health HTTP/1.1\r\n" + end, statuses: [200]),
    Example(name: "a target of the server", request: "OPTIONS * HTTP/1.1\r\n" + end, statuses: [204]),
    Example(name: "a method without that target", request: "GET * HTTP/1.1\r\n" + end, statuses: [404]),
    Example(
      name: "dots in the path", request: "GET /api/v1/../../../../etc/passwd HTTP/1.1\r\n\(token)" + end,
      statuses: [404]),
    Example(
      name: "encoded dots in the path",
      request: "GET /api/v1/devices/..%2f..%2fetc%2fpasswd/fix HTTP/1.1\r\n\(token)" + end, statuses: [404]),
    Example(
      name: "an encoded NUL in the path", request: "GET /api/v1/devices/%00/fix HTTP/1.1\r\n\(token)" + end,
      statuses: [404]),
    Example(
      name: "broken encoding in the path", request: "GET /api/v1/devices/%zz%/fix HTTP/1.1\r\n\(token)" + end,
      statuses: [404]),
    Example(
      name: "line ends in the query",
      request: "GET /api/v1/devices/this%0d%0aX:1/fixes?limit=1%0d%0aSet-Cookie:%20a HTTP/1.1\r\n\(token)"
        + end,
      statuses: [404]),
    Example(
      name: "two requests at once",
      request: "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /ready HTTP/1.1\r\n" + end, statuses: [200, 200]),
    Example(
      name: "a refused request before another one",
      request: "GET /api/v1/devices HTTP/1.1\r\nHost: a\r\n\r\nGET /ready HTTP/1.1\r\n" + end,
      statuses: [401, 200]),
    Example(
      name: "HEAD before another one",
      request: "HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\nGET /ready HTTP/1.1\r\n" + end, statuses: [404, 200]),
    Example(name: "HTTP/1.0", request: "GET /health HTTP/1.0\r\n\r\n", statuses: [200]),
    Example(
      name: "the end in capitals", request: "GET /health HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
      statuses: [200]),
    Example(name: "CONNECT", request: "CONNECT a:80 HTTP/1.1\r\n" + end, statuses: [404]),
  ]

  @Test(arguments: examples)
  func isAnsweredAndTheNextClientIsServed(_ example: Example) async throws {
    try await TestServer.run { server in
      let received = try await server.exchange(example.request)
      #expect(received.statuses == example.statuses, "\(received.prefix(300))")
      if example.statuses == [400] {
        #expect(received.contains("application/problem+json"), "\(received.prefix(300))")
        #expect(received.contains(#""status":400"#))
      }
      #expect(!received.contains("\r\nSet-Cookie") && !received.contains("\r\nX:1"))
      #expect(try await server.send("GET", "/health").status == 200)
    }
  }

  /// Half of a file of fences is a file of fences too.
  @Test(arguments: ["Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n80\r\n"])
  func bodyThatIsCutOffChangesNothing(_ framing: String) async throws {
    try await TestServer.run { server in
      try #require(
        try await server.send("PUT", "/api/v1/fences", body: ResponseTests.fence("kept")).status == 200)
      let head = "PUT /api/v1/fences HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\n"
      let received = try await server.exchange(head + framing + ResponseTests.fence("new") + "\n", ends: true)
      #expect(received.statuses.allSatisfy { $0 == 400 }, "\(received)")
      #expect(try await server.send("GET", "/api/v1/fences").text.contains(#""id":"kept""#))
    }
  }

  @Test func bodyBeyondTheLimitIsRefused() async throws {
    var limits = ServerLimits()
    limits.bodySize = 100
    try await TestServer.run(limits: limits) { server in
      let head = "POST /owntracks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\n"
      let declared = try await server.exchange(head + "Content-Length: 1000\r\n\r\n")
      #expect(declared.statuses == [413])
      let chunk = "40\r\n" + String(repeating: "a", count: 64) + "\r\n"
      let chunked = try await server.exchange(head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk)
      #expect(chunked.statuses == [413])
      // Fences are one body, and no batches.
      let fences = try await server.send("PUT", "/api/v1/fences", body: String(repeating: " ", count: 101))
      #expect(
        fences.status == 413 && fences.text.contains("larger than 100 bytes. Increase MAX_BODY"), "\(fences)")
    }
  }

  @Test func slowBodyIsRefused() async throws {
    var limits = ServerLimits()
    limits.bodyTimeout = .milliseconds(50)
    try await TestServer.run(limits: limits) { server in
      let received = try await server.exchange(
        "POST /owntracks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\nContent-Length: 10\r\n\r\n{")
      #expect(received.statuses == [408])
      #expect(received.contains("Connection: close"))
    }
  }

  @Test func unreadBodyDoesNotHoldTheConnection() async throws {
    try await TestServer.run { server in
      let received = try await server.exchange(
        "POST /owntracks HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{")
      #expect(received.statuses == [401])
    }
  }

  /// No token is needed for these requests.
  @Test(arguments: ["GET /health", "HEAD /ready", "GET /", "OPTIONS /health"])
  func slowBodyOfAnsweredRequestDoesNotHoldTheConnection(_ target: String) async throws {
    var limits = ServerLimits()
    limits.bodyTimeout = .milliseconds(50)
    // Nothing else ends the connection.
    limits.idleTimeout = .seconds(86_400)
    try await TestServer.run(limits: limits) { server in
      let received = try await server.exchange("\(target) HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{")
      #expect(received.statuses.count == 1)
    }
  }

  @Test func wholeUnreadBodyLeavesTheConnectionOpen() async throws {
    var limits = ServerLimits()
    limits.bodyTimeout = .seconds(5)
    limits.idleTimeout = .seconds(3600)
    try await TestServer.run(limits: limits) { server in
      func answers() async throws -> [[Int]] {
        let connection = try RawConnection(port: server.port)
        var answers: [[Int]] = []
        for isFirst in [true, false] {
          let request = "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n{"
          guard (try? connection.send(request)) != nil else { break }
          answers.append(await connection.read(until: "ok").statuses)
          if isFirst { try await Task.sleep(for: .seconds(6)) }
        }
        return answers
      }
      var found = try await answers()
      // On a machine that stands still for seconds, a body that came with its head may be read too late.
      for _ in 0..<4 where found != [[200], [200]] { found = try await answers() }
      #expect(found == [[200], [200]])
    }
  }
}
