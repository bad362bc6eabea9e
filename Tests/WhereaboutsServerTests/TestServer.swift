import Foundation
import Logging
import Whereabouts
import WhereaboutsServer
import WhereaboutsStore

/// A server in this process, over a store of its own.
struct TestServer: Sendable {
  let url: String
  let port: Int

  struct StartError: Error {}

  /// Runs a body with a server, and ends the server.
  static func run(
    source: (any LocationSource)? = nil, limits: ServerLimits = ServerLimits(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "whereabouts-server-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try SQLiteStore.open(at: folder + "/store.sqlite")
    defer { store.close() }
    var settings = ServerSettings()
    settings.port = 0
    settings.limits = limits
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = try LocationServer(settings: settings, store: store, source: source, logger: logger)
    let (urls, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      defer { continuation.finish() }
      try await server.run(endsOnSignals: false) { continuation.yield($0) }
    }
    do {
      try await body(try await started(urls))
    } catch {
      task.cancel()
      _ = await task.result
      throw error
    }
    task.cancel()
    try await task.value
  }

  private static func started(_ urls: AsyncStream<String>) async throws -> TestServer {
    for await url in urls {
      guard let port = url.split(separator: ":").last.flatMap({ Int($0) }) else { break }
      return TestServer(url: url, port: port)
    }
    throw StartError()
  }
}
