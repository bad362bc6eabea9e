import Foundation
public import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

/// The exclusive right of this process to commit for a device. The system releases the claim at any end of the
/// process.
public final class DeviceClaim: Sendable {
  let device: DeviceID
  /// Guarded by the ``ClaimTable`` of the store, as is `hasManager`.
  fileprivate nonisolated(unsafe) var lock: LockFile?
  /// Whether a manager commits under this claim.
  fileprivate nonisolated(unsafe) var hasManager = false

  fileprivate init(_ device: DeviceID, lock: LockFile) {
    self.device = device
    self.lock = lock
  }

  fileprivate static func acquire(
    _ device: DeviceID, at file: String, for store: String, as holder: String
  ) throws(StoreError) -> DeviceClaim {
    let holder = "process \(getpid()) (\(holder.prefix(200)))"
    let (lock, other) = try LockFile.lock(file, of: store, holder: holder)
    guard let lock else { throw Self.lockedError(store, by: other ?? "another process") }
    return DeviceClaim(device, lock: lock)
  }

  fileprivate static func lockedError(_ store: String, by other: String) -> StoreError {
    StoreError(
      .locked, message: "use \(store): \(other) uses it for the same device; end that first")
  }
}

/// The claims of one opened store. A manager uses the claim that its program made before.
///
/// Unchecked: `lock` guards everything, including the changeable parts of each claim.
final class ClaimTable: @unchecked Sendable {
  private final class Entry {
    weak var claim: DeviceClaim?
    init(_ claim: DeviceClaim) { self.claim = claim }
  }

  private let lock = NSLock()
  private var entries: [DeviceID: Entry] = [:]

  fileprivate func insert(_ claim: DeviceClaim) { lock.withLock { entries[claim.device] = Entry(claim) } }

  /// Attaches a manager to an existing claim of this store.
  ///
  /// - Returns: the claim, and whether no other manager uses it; `nil` without a claim.
  fileprivate func attach(to device: DeviceID) -> (claim: DeviceClaim, isFree: Bool)? {
    lock.withLock {
      guard let claim = entries[device]?.claim else { return nil }
      defer { claim.hasManager = true }
      return (claim, !claim.hasManager)
    }
  }

  /// Releases every claim, because a closed store commits nothing.
  func releaseAll() {
    lock.withLock {
      for entry in entries.values { entry.claim?.lock = nil }
      entries = [:]
    }
  }

  /// Makes the end of a device's claim remove the lock file.
  ///
  /// - Returns: whether the device has a claim.
  fileprivate func removeFileAtEnd(of device: DeviceID) -> Bool {
    lock.withLock {
      guard let held = entries[device]?.claim?.lock else { return false }
      held.removesFile = true
      return true
    }
  }

  fileprivate func detach(_ claim: DeviceClaim) { lock.withLock { claim.hasManager = false } }
}

/// The claim of one manager, for as long as the manager holds a reference.
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
  /// Claims a device for this process, for as long as the claim is held.
  ///
  /// Two engines on one device would both report the same crossing. The claim is an advisory lock on a file beside
  /// the store, `FILE-lock` or `FILE-lock-DEVICE`, which remains until the device is erased. An erasure does not end the
  /// claim. A manager without a claim makes its own. Readers and editors of fences need no claim. Closing the store
  /// releases every claim.
  ///
  /// - Parameters:
  ///   - device: the device to claim.
  ///   - holder: a short description of this process, for the error of other claimants.
  /// - Throws: `locked` with the holder's description; `notPermitted` and others if the lock can't be created.
  public func claim(_ device: DeviceID, as holder: String) throws(StoreError) -> DeviceClaim {
    let claim = try DeviceClaim.acquire(device, at: lockPath(of: device), for: path, as: holder)
    claims.insert(claim)
    return claim
  }

  /// Claims a device for one manager, and uses an existing claim of the program (``claim(_:as:)``).
  ///
  /// The method waits up to ``StoreSettings/openTimeout`` for another manager that is ending.
  public func claim(_ device: DeviceID) async throws(StoreError) -> any StoreClaim {
    try await claim(device, forManagerOf: "a location manager")
  }

  /// Claims a device for one manager, as ``claim(_:)`` does.
  ///
  /// - Parameters:
  ///   - device: the device to claim.
  ///   - holder: a short description of the manager's program, for the error of other claimants.
  package func claim(
    _ device: DeviceID, forManagerOf holder: String
  ) async throws(StoreError) -> any StoreClaim {
    guard access == .readWrite else { return NoClaim() }
    let clock = ContinuousClock(), deadline = clock.now + settings.openTimeout
    while true {
      do throws(StoreError) { return try tryClaim(device, as: holder) } catch {
        guard error.code == .locked, clock.now < deadline, !Task.isCancelled else { throw error }
        try? await clock.sleep(for: .milliseconds(20))
      }
    }
  }

  private func tryClaim(_ device: DeviceID, as holder: String) throws(StoreError) -> ManagerClaim {
    if let (claim, isFree) = claims.attach(to: device) {
      guard isFree else { throw DeviceClaim.lockedError(path, by: "another manager of this process") }
      return ManagerClaim(claim, in: claims)
    }
    let claim = try claim(device, as: holder)
    _ = claims.attach(to: device)
    return ManagerClaim(claim, in: claims)
  }

  /// Removes the lock file of an erased device, because the file has the device's name. If this store has a claim of the
  /// device, the end of the claim removes the file. The file remains if another process holds it.
  func removeLockFile(of device: DeviceID) {
    guard device != .this, !claims.removeFileAtEnd(of: device) else { return }
    let lock = (try? LockFile.lock(lockPath(of: device), of: path))?.lock
    lock?.removesFile = true
  }

  private func lockPath(of device: DeviceID) -> String {
    path + "-lock" + (device == .this ? "" : "-" + Self.fileName(of: device))
  }

  /// Returns a file name for a device name. Characters other than ASCII letters and digits become hexadecimal; long
  /// names are shortened.
  private static func fileName(of device: DeviceID) -> String {
    var name = ""
    for byte in device.rawValue.utf8 {
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
      name += isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
    }
    guard name.utf8.count > 100 else { return name }
    // Long names with the same prefix have different files.
    var hash = FNV1aHash()
    hash.add(Array(device.rawValue.utf8))
    return name.prefix(80) + "." + String(hash.value, radix: 16)
  }
}
