import Foundation

/// A running `whereabouts serve`.
struct ServerProcess {
  private static let fence = """
    {"type":"FeatureCollection","features":[{"type":"Feature","id":"home","properties":{"radius":300},\
    "geometry":{"type":"Point","coordinates":[13.405,52.52]}}]}
    """

  let exchange: HTTPExchange
  private let process = Process()
  /// Signalled at the end. `Process.waitUntilExit` may spin forever on a thread that runs tasks.
  private let ended: DispatchSemaphore

  /// Starts a server and waits until it answers.
  ///
  /// - Parameter token: an administrator's token; `nil` takes the first one that the server prints.
  init(_ program: String, store: String, in folder: WorkFolder, token: String? = nil) throws {
    let output = folder.path("serve-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: output, contents: nil) else {
      throw RunnerError("can't write \(output)")
    }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--listen", "127.0.0.1:0", "--store", store]
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    try file.seekToEnd()
    process.standardOutput = file
    process.standardError = file
    let ended = DispatchSemaphore(value: 0)
    self.ended = ended
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let start = Date()
    while true {
      let text = try String(contentsOfFile: output, encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      if let ready = lines.first(where: { $0.hasPrefix("ready: ") }), text.hasSuffix("\n"),
        let port = ready.split(separator: ":").last.flatMap({ Int($0) })
      {
        let first = lines.first { $0.hasPrefix("token: ") }.map { String($0.dropFirst(7)) }
        exchange = HTTPExchange(port: port, token: token ?? first ?? "")
        break
      }
      guard process.isRunning, Date().timeIntervalSince(start) < ChildProcess.timeLimit else {
        throw RunnerError("the server does not start: \(text)")
      }
      usleep(5_000)
    }
    try? FileManager.default.removeItem(atPath: output)
  }

  var isRunning: Bool { process.isRunning }

  func putFences() throws {
    guard let response = exchange.response("PUT", "/api/v1/fences", body: Array(Self.fence.utf8)),
      response.status == 200
    else { throw RunnerError("the server refused the fences") }
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    ended.wait()
  }

  /// Ends the server as a service manager does.
  func stop() throws {
    process.terminate()
    ended.wait()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw RunnerError("the server ended with \(process.terminationStatus)")
    }
  }
}
