import Foundation
public import Whereabouts

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right of this process, and of no other, to commit for a device. The system releases it however the process ends.
public final class DeviceClaim: Sendable {
  let device: DeviceID
  /// Guarded by the ``ClaimTable`` of its store, as is `hasManager`.
  fileprivate nonisolated(unsafe) var lock: LockFile?
  /// Whether a manager commits under this claim.
  fileprivate nonisolated(unsafe) var hasManager = false

  fileprivate init(_ device: DeviceID, lock: LockFile) {
    self.device = device
    self.lock = lock
  }

  fileprivate static func take(
    _ device: DeviceID, at file: String, for store: String, as holder: String
  ) throws(StoreTrouble) -> DeviceClaim {
    let holder = "process \(getpid()) (\(holder.prefix(200)))"
    let (lock, other) = try LockFile.lock(file, holder: holder)
    guard let lock else { throw Self.isTaken(store, by: other ?? "another process") }
    return DeviceClaim(device, lock: lock)
  }

  fileprivate static func isTaken(_ store: String, by other: String) -> StoreTrouble {
    StoreTrouble(
      .locked, message: "watch with \(store): \(other) does so for the same device; end that first")
  }
}

/// The claims that one opened store holds: a manager goes on with the claim that its program made before.
///
/// Everything is guarded by `lock`, what may change of each claim included.
final class ClaimTable: @unchecked Sendable {
  private final class Entry {
    weak var claim: DeviceClaim?
    init(_ claim: DeviceClaim) { self.claim = claim }
  }

  private let lock = NSLock()
  private var entries: [DeviceID: Entry] = [:]

  fileprivate func insert(_ claim: DeviceClaim) { lock.withLock { entries[claim.device] = Entry(claim) } }

  /// A claim of this store, for a manager.
  ///
  /// - Returns: `nil` where there is none; `isFree` is whether no other manager has it.
  fileprivate func attach(to device: DeviceID) -> (claim: DeviceClaim, isFree: Bool)? {
    lock.withLock {
      guard let claim = entries[device]?.claim else { return nil }
      defer { claim.hasManager = true }
      return (claim, !claim.hasManager)
    }
  }

  /// Releases every claim: nothing is committed through a store that is closed.
  func releaseAll() {
    lock.withLock {
      for entry in entries.values { entry.claim?.lock = nil }
      entries = [:]
    }
  }

  fileprivate func detach(_ claim: DeviceClaim) { lock.withLock { claim.hasManager = false } }
}

/// The claim of one manager, as long as the manager holds it.
private final class ManagerClaim: StoreClaim {
  private let claim: DeviceClaim
  private let table: ClaimTable

  init(_ claim: DeviceClaim, in table: ClaimTable) {
    self.claim = claim
    self.table = table
  }

  deinit { table.detach(claim) }
}

extension SQLiteStore {
  /// Claims a device for this process, as long as the claim is held.
  ///
  /// Two engines that commit for one device would each go on from what they know, and both tell of the same crossing. The
  /// claim is an advisory lock on a file beside the store, `FILE-lock` or `FILE-lock-DEVICE`, which stays. A manager makes
  /// its own where there is none. Who only reads, or edits fences, needs none. Closing the store releases every claim.
  ///
  /// - Parameters:
  ///   - device: which.
  ///   - holder: what this process is, for those who come second: a few words.
  /// - Throws: `locked`, which names who holds it; `notPermitted` and the like where the lock can't be made.
  public func claim(_ device: DeviceID, as holder: String) throws(StoreTrouble) -> DeviceClaim {
    let file = path + "-lock" + (device == .this ? "" : "-" + Self.fileName(of: device))
    let claim = try DeviceClaim.take(device, at: file, for: path, as: holder)
    claims.insert(claim)
    return claim
  }

  /// Reserves a device for one manager. A claim that the program has made with this store (``claim(_:as:)``) serves it.
  ///
  /// Another manager that comes to its end is waited for, for ``StoreSettings/openingPatience``.
  public func claim(_ device: DeviceID) async throws(StoreTrouble) -> any StoreClaim {
    guard access == .readWrite else { return NoClaim() }
    let clock = ContinuousClock(), deadline = clock.now + settings.openingPatience
    while true {
      do throws(StoreTrouble) { return try claimAtOnce(device) } catch {
        guard error.code == .locked, clock.now < deadline, !Task.isCancelled else { throw error }
        try? await clock.sleep(for: .milliseconds(20))
      }
    }
  }

  private func claimAtOnce(_ device: DeviceID) throws(StoreTrouble) -> ManagerClaim {
    if let (claim, isFree) = claims.attach(to: device) {
      guard isFree else { throw DeviceClaim.isTaken(path, by: "another manager of this process") }
      return ManagerClaim(claim, in: claims)
    }
    let claim = try claim(device, as: "a location manager")
    _ = claims.attach(to: device)
    return ManagerClaim(claim, in: claims)
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
