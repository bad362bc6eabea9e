import Dispatch
import Foundation

/// Certificates made by openssl.
enum Certificates {
  private struct Failure: Error { var text: String }

  static let canBeMade = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  /// Makes `NAME.cert.pem` and `NAME.key.pem`.
  static func make(_ name: String, in folder: TemporaryPlace) throws {
    try run(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=\(name)"
        + " -keyout '\(folder.path("\(name).key.pem"))' -out '\(folder.path("\(name).cert.pem"))'")
  }

  /// Makes a pair the one of `cert.pem` and `key.pem`.
  static func install(_ name: String, in folder: TemporaryPlace) throws {
    for kind in ["cert", "key"] {
      try run("cp '\(folder.path("\(name).\(kind).pem"))' '\(folder.path("\(kind).pem"))'")
    }
  }

  /// Returns the name in the certificate of a server.
  static func name(at port: Int) throws -> String {
    let text = try run(
      "openssl s_client -connect 127.0.0.1:\(port) </dev/null | openssl x509 -noout -subject -nameopt multiline"
    )
    return text.split(separator: "= ").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
  }

  @discardableResult
  private static func run(_ line: String) throws -> String {
    let process = Process(), output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "(\(line)) 2>/dev/null"]
    process.standardOutput = output
    // `waitUntilExit` may spin forever on a thread of the tests' pool.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    ended.wait()
    guard process.terminationStatus == 0 else { throw Failure(text: "\(line): \(text)") }
    return text
  }
}
