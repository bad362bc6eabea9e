import Foundation

/// A connection to a server of this machine in raw bytes, so that it can do what no good client does.
final class RawConnection: Sendable {
  private struct Failure: Error {}

  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1.
  ///
  /// - Parameter receiveBuffer: the size of the system's buffer for what arrives; `nil` for the standard.
  init(port: Int, receiveBuffer: Int32? = nil) throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, kind, 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure() }
  }

  deinit { close(descriptor) }

  /// Makes the end of this connection a reset, as by a client that is gone.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure()
    }
  }

  /// Sends a request.
  func request(
    _ method: String, _ path: String, token: String, body: String = "", length: Int? = nil,
    fields: String = ""
  ) throws {
    try send(
      "\(method) \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\(fields)"
        + "Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)")
  }

  /// Returns what arrives until a text, or until the end of the connection.
  func read(until part: String? = nil) async -> String {
    let descriptor = descriptor
    return await withCheckedContinuation { continuation in
      // It blocks a thread, which must not be one of those that run the test.
      Thread.detachNewThread {
        var text: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 4096)
        while part.map({ !String(decoding: text, as: UTF8.self).contains($0) }) ?? true {
          let count = recv(descriptor, &chunk, chunk.count, 0)
          guard count > 0 else { break }
          text += chunk[..<count]
        }
        continuation.resume(returning: String(decoding: text, as: UTF8.self))
      }
    }
  }
}
