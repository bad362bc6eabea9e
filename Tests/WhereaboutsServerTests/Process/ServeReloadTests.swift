import Foundation
import Testing

@testable import WhereaboutsServer

@Suite struct ServeReloadTests {
  @Test func hangupAppliesTheChangeableSettings() async throws {
    let folder = try TemporaryPlace()
    let path = try folder.write("LISTEN=127.0.0.1:0\nMAX_BODY=1K\n", to: "conf")
    let server = try ServerProcess(["--config", path, "--store", folder.path("s")])
    let port = try await server.ready(), token = try server.token()
    func status(of body: String) async throws -> String {
      let connection = try RawConnection(port: port)
      try connection.request("POST", "/ingest", token: token, body: body)
      return String(await connection.read(until: "\r\n").dropFirst(9).prefix(3))
    }
    let large = String(repeating: " ", count: 2000)
    #expect(try await status(of: large) == "413")
    // The changeable settings change; the others are named.
    _ = try folder.write("LISTEN=127.0.0.1:1\nMAX_BODY=1M\nKEEP_ALIVE=20s\n", to: "conf")
    server.send(SIGHUP)
    #expect(try await server.line(with: "configuration reloaded").contains("changed=MAX_BODY"))
    #expect(try await server.line(with: "need a restart").contains("settings=LISTEN,KEEP_ALIVE"))
    #expect(try await status(of: large) != "413")
    // A bad file changes nothing.
    _ = try folder.write("MAX_BODY=1K\nLISTN=1\n", to: "conf")
    server.send(SIGHUP)
    #expect(
      try await server.line(with: "configuration not reloaded").contains("conf:2: There is no key LISTN"))
    #expect(try await status(of: large) != "413")
    // The same by the API.
    let connection = try RawConnection(port: port)
    try connection.request("POST", "/api/v1/reload", token: token, fields: "Connection: close\r\n")
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 422") && answer.contains("conf:2: There is no key LISTN"), "\(answer)")
    _ = try folder.write("LISTEN=127.0.0.1:0\nMAX_BODY=1K\n", to: "conf")
    let second = try RawConnection(port: port)
    try second.request("POST", "/api/v1/reload", token: token, fields: "Connection: close\r\n")
    let outcome = await second.read()
    #expect(outcome.contains(#"{"changed":["MAX_BODY"],"needsRestart":[],"adoptedFences":0}"#), "\(outcome)")
    #expect(try await status(of: large) == "413")
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }

  /// The looks at a link are counted by the addresses of its readers.
  @Test func hangupAppliesTheTrustedProxies() async throws {
    let folder = try TemporaryPlace()
    let path = try folder.write("LISTEN=127.0.0.1:0\n", to: "conf")
    let server = try ServerProcess(["--config", path, "--store", folder.path("s")])
    let port = try await server.ready(), token = try server.token()
    func answer(
      _ method: String, _ path: String, token: String, body: String = "", from address: String = "192.0.2.1"
    ) async throws -> String {
      let connection = try RawConnection(port: port)
      let fields = "Connection: close\r\nX-Forwarded-For: \(address)\r\n"
      try connection.request(method, path, token: token, body: body, fields: fields)
      return await connection.read()
    }
    _ = try await answer("POST", "/overland", token: token, body: Batches.overland([0], device: "anna"))
    let device = "/api/v1/devices/anna"
    let link = try await answer(
      "POST", "\(device)/links", token: token, body: #"{"seconds":3600,"looks":1}"#)
    let secret = String(link.split(separator: "#token=").last?.prefix { $0 != "\"" } ?? "")
    for address in ["192.0.2.1", "198.51.100.1"] {
      let look = try await answer("GET", "\(device)/fix", token: secret, from: address)
      #expect(look.hasPrefix("HTTP/1.1 200"), "all readers have the address of the proxy: \(look)")
    }
    _ = try folder.write("LISTEN=127.0.0.1:0\nTRUSTED_PROXIES=127.0.0.1\n", to: "conf")
    server.send(SIGHUP)
    #expect(try await server.line(with: "configuration reloaded").contains("changed=TRUSTED_PROXIES"))
    let look = try await answer("GET", "\(device)/fix", token: secret, from: "198.51.100.1")
    #expect(look.hasPrefix("HTTP/1.1 401"), "\(look)")
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }

  @Test func hangupBeforeTheServerIsReadyReloadsLater() async throws {
    let folder = try TemporaryPlace()
    let path = try folder.write("LISTEN=127.0.0.1:0\nMAX_BODY=1K\n", to: "conf")
    let server = try ServerProcess(["--config", path, "--store", folder.path("s")])
    // The token is printed before the server listens.
    _ = try server.token()
    _ = try folder.write("LISTEN=127.0.0.1:0\nMAX_BODY=1M\n", to: "conf")
    server.send(SIGHUP)
    _ = try await server.ready()
    #expect(try await server.line(with: "configuration reloaded").contains("changed=MAX_BODY"))
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }

  @Test func supervisorIsNotified() async throws {
    let folder = try TemporaryPlace(), name = folder.path("notify")
    var socket: DatagramSocket? = try DatagramSocket(name)
    let server = try ServerProcess(
      ["--listen", "127.0.0.1:0", "--store", folder.path("s"), "--osmand-port", "0"],
      environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "200000"])
    func message() async throws -> String {
      let current = try #require(socket)
      return try await current.next()
    }
    func next() async throws -> String {
      while true {
        let text = try await message()
        if text != "WATCHDOG=1" { return text }
      }
    }
    // The watchdog may begin before the listeners. The socket holds few messages, and each further one waits until one of
    // them is read: a test that first waited for the server could wait for ever.
    #expect(try await next() == "READY=1")
    _ = try await server.ready()
    for _ in 0..<3 { #expect(try await message() == "WATCHDOG=1") }
    server.send(SIGHUP)
    #expect(try await next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(try await next() == "READY=1")
    server.send(SIGTERM)
    #expect(try await next() == "STOPPING=1")
    // Signs of life that nobody reads would hold up the end.
    socket = nil
    #expect(await server.end() == 0)
  }

  @Test(.enabled(if: Certificates.canBeMade, "needs openssl"))
  func newCertificateIsForNewConnections() async throws {
    let folder = try TemporaryPlace()
    try Certificates.make("one", in: folder)
    try Certificates.make("two", in: folder)
    try Certificates.install("one", in: folder)
    let server = try ServerProcess([
      "--listen", "127.0.0.1:0", "--store", folder.path("s"), "--tls-certificate", folder.path("cert.pem"),
      "--tls-key", folder.path("key.pem"),
    ])
    let port = try await server.ready()
    #expect(try Certificates.name(at: port) == "one")
    // The client of such a request sees no reason.
    let plain = try RawConnection(port: port)
    try plain.send("GET /osmand?lat=52.52&token=secret HTTP/1.1\r\nHost: x\r\n\r\n")
    let warning = try await server.line(with: "a client used http:// at a port with TLS")
    #expect(!warning.contains("secret") && !warning.contains("52.52"))
    try Certificates.install("two", in: folder)
    server.send(SIGHUP)
    _ = try await server.line(with: "TLS certificate reloaded")
    #expect(try Certificates.name(at: port) == "two")
    // A broken file keeps the old certificate, here by the check of the configuration.
    _ = try folder.write("none", to: "cert.pem")
    server.send(SIGHUP)
    #expect(try await server.line(with: "not reloaded").contains("The file has no certificate in PEM"))
    #expect(try Certificates.name(at: port) == "two")
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }
}
