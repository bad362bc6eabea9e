import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// A server on a free port over a store in a temporary folder.
struct TestServer: Sendable {
  let url: String
  /// The port of ``url``.
  var port: Int { url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
  let store: SQLiteStore
  let core: ServerCore
  var tokens: TokenRegistry { core.tokens }
  /// An administrator's secret.
  let admin: String

  /// A response, read to its end.
  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: String

    /// The body as JSON.
    var json: Any? { try? JSONSerialization.jsonObject(with: Data(body.utf8)) }

    /// A member of the JSON object.
    subscript<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? {
      (json as? [String: Any])?[name] as? Value
    }
  }

  /// Runs a body with a server, and ends the server afterwards.
  ///
  /// - Parameters:
  ///   - prepare: prepares the store before the server starts.
  static func run(
    _ settings: ServerSettings = .test, source: (any LocationSource)? = nil,
    prepare: (SQLiteStore) async throws -> Void = { _ in }, _ body: (TestServer) async throws -> Void
  ) async throws {
    try await withStore { store in
      try await prepare(store)
      try await run(settings, store: store, source: source, body)
    }
  }

  /// Runs a body with a store in a temporary folder, and removes the folder afterwards.
  static func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("server-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore.open(at: folder.appendingPathComponent("store.sqlite").path)
    try await body(store)
    store.close()
  }

  /// Runs a body with a server of some limits.
  static func run(
    source: (any LocationSource)? = nil, limits: ServerLimits,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var settings = ServerSettings.test
    settings.limits = limits
    try await run(settings, source: source, body)
  }

  /// Runs a body with a server over an open store.
  static func run(
    _ settings: ServerSettings = .test, store: SQLiteStore, source: (any LocationSource)? = nil,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    // Passwords with the cost of those in use would take a fifteenth of the tests' processor time.
    let server = try LocationServer(
      settings: settings, store: store, source: source, logger: logger, passwordCost: 4)
    let admin = try server.createFirstToken() ?? server.core.tokens.create(.administrator, at: .now).secret
    let (ready, signal) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      defer { signal.finish() }
      try await server.run(endsOnSignals: false) { signal.yield($0) }
    }
    var url: String?
    for await found in ready {
      url = found
      break
    }
    do {
      try await body(TestServer(url: try #require(url), store: store, core: server.core, admin: admin))
    } catch {
      task.cancel()
      _ = try? await task.value
      throw error
    }
    task.cancel()
    try await task.value
  }

  /// Creates a token.
  func token(
    _ device: DeviceID?, _ scopes: Set<AccessToken.Scope>, cap: Double? = nil, expires: UTCTime? = nil
  ) throws -> String {
    try tokens.create(
      TokenTerms(
        label: UUID().uuidString, device: device, scopes: scopes, accuracyCap: cap, expires: expires),
      at: expires?.advanced(by: .seconds(-3600)) ?? .now
    ).secret
  }

  func get(_ path: String, token: String? = nil, headers: [(String, String)] = []) async throws -> Answer {
    try await send(.GET, path, token: token, headers: headers)
  }

  func post(
    _ path: String, _ body: String, token: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(.POST, path, body, token: token, headers: headers)
  }

  func send(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, token: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: url + path)
    request.method = method
    request.headers.add(contentsOf: HTTPHeaders(headers))
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await HTTPClient.shared.execute(request, timeout: .minutes(10))
    let bytes = try await response.body.collect(upTo: 64 << 20)
    return Answer(
      status: Int(response.status.code), headers: response.headers, body: String(buffer: bytes))
  }
}

extension ServerSettings {
  /// Loopback, on a free port.
  static var test: ServerSettings {
    var settings = ServerSettings()
    settings.port = 0
    return settings
  }
}

extension TokenTerms {
  fileprivate static var administrator: TokenTerms {
    TokenTerms(label: "test administrator", device: nil, scopes: [.admin])
  }
}
