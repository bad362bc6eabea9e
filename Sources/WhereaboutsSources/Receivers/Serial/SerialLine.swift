import SystemPackage
import WhereaboutsSystem

/// The speed of a serial line, which can change while the line is read. A second descriptor of the same opening,
/// which the last reference closes.
final class SerialLine: Sendable {
  private let descriptor: FileDescriptor

  /// Configures an open line, whose descriptor stays the caller's; `nil` if the file is no serial line.
  ///
  /// Bytes are passed on unchanged: eight bits, no parity, no echo, no line editing, no flow control. Pending bytes
  /// are dropped as older than the demand.
  init?(_ opened: FileDescriptor) throws {
    guard isatty(opened.rawValue) == 1 else { return nil }
    descriptor = try opened.duplicate()
    guard var settings = Self.settings(of: descriptor) else { throw Errno(rawValue: errno) }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    // Dropping the ready line on close resets some boards. Receivers use neither two stop bits nor hardware flow
    // control.
    settings.c_cflag &= ~(tcflag_t(HUPCL) | tcflag_t(CSTOPB) | tcflag_t(CRTSCTS))
    // First, so that a process that sees the new settings knows that later bytes are read.
    tcflush(descriptor.rawValue, TCIFLUSH)
    guard tcsetattr(descriptor.rawValue, TCSANOW, &settings) == 0 else { throw Errno(rawValue: errno) }
  }

  // Nothing is written through the descriptor.
  deinit { try? descriptor.close() }

  private static func settings(of descriptor: FileDescriptor) -> termios? {
    var settings = termios()
    return tcgetattr(descriptor.rawValue, &settings) == 0 ? settings : nil
  }

  /// The line's speed in bits per second; `nil` if it is none of the usual speeds.
  var speed: Int? {
    guard var settings = Self.settings(of: descriptor) else { return nil }
    let speed = cfgetispeed(&settings)
    return Self.speeds.first { $0.code == speed }?.baud
  }

  /// Sets the line's speed. Bytes received at another speed stay readable: a USB device may ignore the speed.
  ///
  /// - Returns: whether the line supports the speed; false if the line is gone.
  @discardableResult
  func setSpeed(_ baud: Int) -> Bool {
    guard let code = Self.speeds.first(where: { $0.baud == baud })?.code,
      var settings = Self.settings(of: descriptor)
    else { return false }
    cfsetispeed(&settings, code)
    cfsetospeed(&settings, code)
    return tcsetattr(descriptor.rawValue, TCSANOW, &settings) == 0
  }

  /// The supported speeds, and the system's codes.
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

  /// Returns whether a line can be set to a speed.
  static func supports(_ baud: Int) -> Bool { speeds.contains { $0.baud == baud } }
}
