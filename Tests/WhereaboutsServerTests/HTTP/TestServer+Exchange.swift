import NIOCore
import NIOPosix

extension TestServer {
  /// Sends a text over a separate connection, and returns everything until the server closes the connection.
  ///
  /// The token `admin` in the text stands for the administrator's.
  ///
  /// - Parameter ends: whether the client ends its side of the connection after the text.
  func exchange(_ text: String, ends: Bool = false) async throws -> String {
    let text = text.replacing("Bearer admin\r\n", with: "Bearer \(admin)\r\n")
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var received = ByteBuffer()
      do {
        try await outbound.write(ByteBuffer(string: text))
        if ends { outbound.finish() }
        for try await part in inbound { received.writeImmutableBuffer(part) }
      } catch is IOError {
        // The server closed the connection while bytes were on their way.
      } catch is ChannelError {
      }
      return String(buffer: received)
    }
  }
}

extension String {
  /// The statuses of the responses in what a server sent.
  var statuses: [Int] {
    components(after: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
  }

  private func components(after mark: String) -> [Substring] {
    var found: [Substring] = [], rest = self[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      found.append(rest)
    }
    return found
  }
}
