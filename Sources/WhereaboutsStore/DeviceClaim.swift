import Foundation
public import Whereabouts

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// That this process, and no other, commits for a device. The system lets go of it however the process ends.
public final class DeviceClaim: Sendable {
  private let descriptor: Int32

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  fileprivate static func take(_ file: String, for store: String, as holder: String) throws(StoreTrouble)
    -> DeviceClaim
  {
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFile.trouble(errno, file) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let other = Self.holder(descriptor)
      close(descriptor)
      guard code == EWOULDBLOCK else { throw PrivateFile.trouble(code, file) }
      throw StoreTrouble(
        .locked, message: "watch with \(store): \(other) does so for the same device; end that first")
    }
    Self.sign(descriptor, holder)
    return DeviceClaim(descriptor: descriptor)
  }

  private static func sign(_ descriptor: Int32, _ holder: String) {
    let words = "process \(getpid()) (\(holder.prefix(200)))"
    ftruncate(descriptor, 0)
    _ = words.utf8.withContiguousStorageIfAvailable { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private static func holder(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 300)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : "another process"
  }
}

extension SQLiteStore {
  /// Claims a device for this process, as long as the claim is held.
  ///
  /// Two engines that commit for one device would each go on from what they know, and both tell of the same crossing. The
  /// claim is an advisory lock on a file beside the store, `FILE-lock` or `FILE-lock-DEVICE`, which stays. Who only reads,
  /// or edits fences, needs none.
  ///
  /// - Parameters:
  ///   - device: which.
  ///   - holder: what this process is, for those who come second: a few words.
  /// - Throws: `locked`, which names who holds it; `notPermitted` and the like where the lock can't be made.
  public func claim(_ device: DeviceID, as holder: String) throws(StoreTrouble) -> DeviceClaim {
    let file = path + "-lock" + (device == .this ? "" : "-" + Self.fileName(of: device))
    return try DeviceClaim.take(file, for: path, as: holder)
  }

  /// Every name as the name of a file: what is no letter or digit of ASCII in hexadecimal, and shortened where it is long.
  private static func fileName(of device: DeviceID) -> String {
    var name = ""
    for byte in device.rawValue.utf8 {
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
      name += isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
    }
    guard name.utf8.count > 100 else { return name }
    // FNV-1a, so that long names with one beginning have files of their own.
    let hash = device.rawValue.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return name.prefix(80) + "." + String(hash, radix: 16)
  }
}
