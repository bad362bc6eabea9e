import Foundation
import WhereaboutsSystem

/// A blocking HTTP client that notices at once when its server dies.
struct HTTPExchange {
  let port: Int
  let token: String

  /// Sends a request and reads its response to the end.
  ///
  /// - Returns: the status and the body; `nil` if the connection broke before the response was whole.
  func response(_ method: String, _ path: String, body: [UInt8] = []) -> (status: Int, body: String)? {
    guard let socket = connect() else { return nil }
    defer { close(socket) }
    let head = """
      \(method) \(path) HTTP/1.1\r
      Host: 127.0.0.1\r
      Authorization: Bearer \(token)\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    guard send(Array(head.utf8) + body, to: socket) else { return nil }
    var bytes: [UInt8] = []
    read(from: socket) { bytes += $0 }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
      return nil
    }
    let length = text[..<end.lowerBound].split(separator: "\r\n").lazy
      .first { $0.lowercased().hasPrefix("content-length:") }.flatMap {
        Int($0.dropFirst(15).trimmingPrefix(" "))
      }
    let content = String(text[end.upperBound...])
    guard length.map({ content.utf8.count == $0 }) ?? true else { return nil }
    return (status, content)
  }

  /// Opens a stream of events and passes each piece on, until the connection ends.
  func stream(_ path: String, after id: Int, _ body: (ArraySlice<UInt8>) -> Void) {
    guard let socket = connect() else { return }
    defer { close(socket) }
    let head = """
      GET \(path) HTTP/1.1\r
      Host: 127.0.0.1\r
      Authorization: Bearer \(token)\r
      Last-Event-ID: \(id)\r
      \r

      """
    guard send(Array(head.utf8), to: socket) else { return }
    read(from: socket, body)
  }

  private func connect() -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        WhereaboutsSystem.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        WhereaboutsSystem.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func read(from socket: Int32, _ body: (ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      body(buffer[..<count])
    }
  }
}
