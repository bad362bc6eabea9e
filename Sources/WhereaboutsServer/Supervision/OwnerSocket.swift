import Foundation
import Logging
import NIOCore
import ServiceLifecycle

/// The file of a server's Unix socket.
struct OwnerSocket: Sendable {
  /// The longest path of a Unix socket, in bytes.
  static let longestPath = 107

  let path: String

  /// Returns whether a text can be the path of a socket.
  static func isPath(_ text: String) -> Bool { text.contains("/") && text.utf8.count <= longestPath }

  /// Returns why no socket can be made at the path; `nil` if the path is free. A socket that a killed server left is
  /// removed.
  func problem() -> String? {
    guard path.utf8.count <= Self.longestPath else {
      return "its path is longer than \(Self.longestPath) bytes"
    }
    guard let file = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    guard file[.type] as? FileAttributeType == .typeSocket else { return "a file that is no socket is there" }
    guard !isAnswered else { return "another server uses it" }
    return unlink(path) == 0 ? nil : String(cString: strerror(errno))
  }

  /// Lets only the user of this process connect.
  func restrict() { chmod(path, 0o600) }

  /// Removes the file.
  func remove() { unlink(path) }

  /// Whether a server answers at the path, which is at most ``longestPath`` bytes long.
  private var isAnswered: Bool {
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}

/// The listener of a server's Unix socket. If the socket can't be created, the server runs without it.
struct OwnerSocketListener: Service {
  let socket: OwnerSocket
  let listener: any Service
  let listeners: ListenerStart
  let logger: Logger

  func run() async throws {
    if let problem = socket.problem() {
      await runWithoutSocket(because: problem)
      return
    }
    defer { socket.remove() }
    do { try await listener.run() } catch let error as IOError {
      await runWithoutSocket(because: String(cString: strerror(error.errnoCode)))
    }
  }

  private func runWithoutSocket(because problem: String) async {
    logger.warning("no socket for commands", metadata: ["path": "\(socket.path)", "reason": "\(problem)"])
    await listeners.started(nil)
    try? await gracefulShutdown()
  }
}
