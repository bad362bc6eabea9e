import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A serial line without a wire: what is written here is read at ``device``.
final class PseudoTerminal: @unchecked Sendable {
  /// The path of its other end.
  let device: String
  private let master: Int32
  private var probe: Int32

  struct Failure: Error { let number = errno }

  init() throws {
    // As posix_openpt, unlockpt and ptsname do it, which Swift does not see.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var locked: Int32 = 0, number: Int32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0
    else { throw Failure() }
    device = "/dev/pts/\(number)"
    // Kept open: with nobody at the other end, whoever writes is told that it has hung up.
    probe = open(device, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard probe >= 0 else { throw Failure() }
  }

  deinit { unplug() }

  /// A line that is reached by a name of one's own, as a device that comes back under another number.
  convenience init(linkedFrom link: String) throws {
    try self.init()
    _ = unlink(link)
    guard symlink(device, link) == 0 else { throw Failure() }
    self.link = link
  }

  private var isOpen = true
  private var link: String?

  /// Pulls the plug.
  func unplug() {
    guard isOpen else { return }
    isOpen = false
    // First: the number of the device may be somebody else's a moment later.
    if let link { _ = unlink(link) }
    close(master)
    close(probe)
  }

  private var settings: termios {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings
  }

  /// The speed that its other end has been set to, as the system writes it.
  var speed: speed_t {
    var settings = settings
    return cfgetispeed(&settings)
  }

  /// Waits until a receiver's line has been opened at the other end: it is raw from then on.
  func waitUntilRead() async throws {
    while settings.c_lflag & tcflag_t(ICANON) != 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Writes all of it, as fast as it is read.
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
