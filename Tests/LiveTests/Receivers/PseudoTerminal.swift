import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A pseudo terminal as a serial line: bytes written here are read at ``device``.
final class PseudoTerminal: @unchecked Sendable {
  /// The path of the other end.
  let device: String
  private let master: Int32
  private var probe: Int32

  struct Failure: Error { let number = errno }

  init() throws {
    // As in posix_openpt, unlockpt and ptsname, which Swift does not import.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var locked: Int32 = 0, number: Int32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0
    else { throw Failure() }
    device = "/dev/pts/\(number)"
    // Stays open: without a process at the other end, a write fails with a hang-up.
    probe = open(device, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard probe >= 0 else { throw Failure() }
  }

  deinit { unplug() }

  /// Makes a line with a symbolic link as its path, as for a device that returns with another number.
  convenience init(linkedFrom link: String) throws {
    try self.init()
    _ = unlink(link)
    guard symlink(device, link) == 0 else { throw Failure() }
    self.link = link
  }

  private var isOpen = true
  private var link: String?

  /// Unplugs the receiver.
  func unplug() {
    guard isOpen else { return }
    isOpen = false
    // The link is removed first, since the device number may be reused at once.
    if let link { _ = unlink(link) }
    close(master)
    close(probe)
  }

  private var settings: termios {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings
  }

  /// The line speed of the other end, as a system constant.
  var speed: speed_t {
    var settings = settings
    return cfgetispeed(&settings)
  }

  /// Waits until the other end is opened, which sets the line to raw mode.
  func waitUntilRead() async throws {
    while settings.c_lflag & tcflag_t(ICANON) != 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Sets the line to the mode of a terminal, so that ``waitUntilRead()`` waits for the next opening.
  func leaveRawMode() {
    var settings = settings
    settings.c_lflag |= tcflag_t(ICANON)
    tcsetattr(master, TCSANOW, &settings)
  }

  /// Writes all bytes, as fast as they are read.
  func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(master, $0.baseAddress, min($0.count, 1024)) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        guard errno == EAGAIN || errno == EINTR else { throw Failure() }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }
}
