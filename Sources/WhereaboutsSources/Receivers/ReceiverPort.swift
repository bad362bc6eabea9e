/// Where a receiver that speaks NMEA 0183 is connected.
public enum ReceiverPort: Hashable, Sendable {
  /// A serial port, or a USB device that behaves like one.
  ///
  /// - Parameters:
  ///   - path: of the device, such as `/dev/ttyACM0`. A name that follows the device wherever it is plugged in, such as
  ///     those in `/dev/serial/by-id`, finds it again under another number.
  ///   - baud: the speed of the line in bits per second; `nil` finds out.
  case serial(path: String, baud: Int? = nil)
  /// A server that sends sentences to whoever connects.
  ///
  /// - Parameters:
  ///   - host: its name or address.
  ///   - port: 1 to 65,535.
  case tcp(host: String, port: Int)
  /// Datagrams that are sent to this computer, or to everyone on its network.
  ///
  /// Where several send, the first is listened to for as long as it delivers, since the fixes of two receivers taken
  /// for those of one would jump to and fro.
  ///
  /// - Parameters:
  ///   - port: 1 to 65,535; what navigation programs use is 10110.
  ///   - host: the address of this computer to listen at, or that of a group to join; `nil` listens at all of this
  ///     computer's.
  case udp(port: Int, host: String? = nil)
  /// A named pipe or a device: read to its end, and opened again.
  case file(path: String)
  /// What is piped into this process; its end is the end of the source.
  case standardInput
}

extension ReceiverPort: CustomStringConvertible {
  /// What to call it in messages, as it would be typed behind `nmea:`.
  public var description: String {
    switch self {
    case .serial(let path, _), .file(let path): path
    case .tcp(let host, let port): "tcp://\(Self.bracketed(host)):\(port)"
    case .udp(let port, let host): "udp://\(host.map(Self.bracketed) ?? ""):\(port)"
    case .standardInput: "standard input"
    }
  }

  /// An address of version 6 has colons of its own.
  private static func bracketed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }
}
