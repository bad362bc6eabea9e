/// A port at which an NMEA 0183 receiver is connected.
public enum ReceiverPort: Hashable, Sendable {
  /// A serial port, or a USB device that behaves like one.
  ///
  /// - Parameters:
  ///   - path: the device's path, such as `/dev/ttyACM0`. A name in `/dev/serial/by-id` follows the device to another
  ///     number.
  ///   - baud: the speed of the line in bits per second; `nil` searches for it.
  case serial(path: String, baud: Int? = nil)
  /// A server that sends sentences to every client.
  ///
  /// - Parameters:
  ///   - host: the server's name or address.
  ///   - port: 1 to 65,535.
  case tcp(host: String, port: Int)
  /// Datagrams sent to this computer, or to every computer on its network.
  ///
  /// Of several senders, the first is used for as long as it delivers: the fixes of two receivers would jump to and
  /// fro.
  ///
  /// - Parameters:
  ///   - port: 1 to 65,535; navigation programs use 10110.
  ///   - host: a local address to listen at, or a group's address to join; `nil` listens at all local addresses.
  case udp(port: Int, host: String? = nil)
  /// A named pipe or a device, read to its end and reopened.
  case file(path: String)
  /// Standard input; its end is the end of the source.
  case standardInput
}

extension ReceiverPort: CustomStringConvertible {
  /// The port's name in messages, as typed after `nmea:`.
  public var description: String {
    switch self {
    case .serial(let path, _), .file(let path): path
    case .tcp(let host, let port): "tcp://\(Self.bracketed(host)):\(port)"
    case .udp(let port, let host): "udp://\(host.map(Self.bracketed) ?? ""):\(port)"
    case .standardInput: "standard input"
    }
  }

  /// Returns an IPv6 address in brackets, since it contains colons.
  private static func bracketed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }
}
