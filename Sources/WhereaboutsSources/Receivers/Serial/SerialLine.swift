import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The speed of a serial line, which can be changed while it is read: a second descriptor of the same opening, closed
/// when nobody holds it any more.
final class SerialLine: Sendable {
  private let descriptor: FileDescriptor

  /// Takes over the line that is open as this descriptor, which stays the caller's; `nil` where it is no serial line.
  ///
  /// Bytes are passed on as they come: eight bits, no parity, no echo, no line editing, no flow control. What came before
  /// is thrown away: it is of before it was wanted.
  init?(_ opened: FileDescriptor) throws {
    guard isatty(opened.rawValue) == 1 else { return nil }
    descriptor = try opened.duplicate()
    guard var settings = Self.settings(of: descriptor) else { throw Errno(rawValue: errno) }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    // Lowering the ready line when the port is closed resets some boards; two stop bits and hardware flow control are
    // not what receivers use.
    settings.c_cflag &= ~(tcflag_t(HUPCL) | tcflag_t(CSTOPB) | tcflag_t(CRTSCTS))
    // First, so that whoever sees the line in its new state knows that what comes from now on is read.
    tcflush(descriptor.rawValue, TCIFLUSH)
    guard tcsetattr(descriptor.rawValue, TCSANOW, &settings) == 0 else { throw Errno(rawValue: errno) }
  }

  // Nothing is written through it.
  deinit { try? descriptor.close() }

  private static func settings(of descriptor: FileDescriptor) -> termios? {
    var settings = termios()
    return tcgetattr(descriptor.rawValue, &settings) == 0 ? settings : nil
  }

  /// What it is set to, in bits per second; `nil` where that is none of the usual speeds.
  var speed: Int? {
    guard var settings = Self.settings(of: descriptor) else { return nil }
    let speed = cfgetispeed(&settings)
    return Self.speeds.first { $0.code == speed }?.baud
  }

  /// Sets its speed. What came at another stays to be read: to a USB device the speed may mean nothing.
  ///
  /// - Returns: whether the line can have it. One that is gone can't.
  @discardableResult
  func set(_ baud: Int) -> Bool {
    guard let code = Self.speeds.first(where: { $0.baud == baud })?.code,
      var settings = Self.settings(of: descriptor)
    else { return false }
    cfsetispeed(&settings, code)
    cfsetospeed(&settings, code)
    return tcsetattr(descriptor.rawValue, TCSANOW, &settings) == 0
  }

  /// The speeds that a line can be set to, and what the system calls them.
  private static let speeds: [(baud: Int, code: speed_t)] = {
    var speeds = [
      (1200, B1200), (2400, B2400), (4800, B4800), (9600, B9600), (19_200, B19200), (38_400, B38400),
      (57_600, B57600), (115_200, B115200), (230_400, B230400),
    ]
    #if os(Linux)
      speeds += [(460_800, B460800), (500_000, B500000), (921_600, B921600), (1_000_000, B1000000)]
    #endif
    return speeds.map { (baud: $0.0, code: speed_t($0.1)) }
  }()

  /// Whether a line can be set to that speed.
  static func has(_ baud: Int) -> Bool { speeds.contains { $0.baud == baud } }
}
