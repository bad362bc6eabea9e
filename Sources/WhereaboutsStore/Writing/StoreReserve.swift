import WhereaboutsSystem

/// A reserve file beside a store. Removing the file on a full disk makes room for erasing, which writes to the log
/// first. Other openings for writing get only the room for SQLite's auxiliary files.
struct StoreReserve: Sendable {
  /// The room for the log and its index, which every opening needs.
  private static let openingSize = 65_536
  /// The number of bytes that one erasing step writes to the log, and room for two openings.
  private static let size = 655_360
  /// The size that remains for erasing.
  private static let erasingSize = 524_288
  /// The smallest store with a reserve: erasing in a smaller store writes hardly anything.
  private static let minimumStoreSize: Int64 = 262_144

  private let store: String
  private var path: String { store + "-reserve" }

  init(store path: String) { store = path }

  /// Creates or completes the reserve if the store is large enough and the disk has room. Removes the reserve of a
  /// small store.
  func update() {
    guard DiskSpace.size(of: store) >= Self.minimumStoreSize else { return release() }
    let present = Int(DiskSpace.size(of: path))
    guard present < Self.size else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Fill with random bytes: some file systems allocate no space for zeros.
    var random = SystemRandomNumberGenerator()
    let block = (0...(Self.size - present) / 8).map { _ in random.next() }
    let missing = Self.size - present
    let written = block.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, missing, off_t(present)) }
    if written == missing { return }
    if present == 0 { release() } else { ftruncate(descriptor, off_t(present)) }
  }

  func release() { unlink(path) }

  /// Shortens the reserve, so that a full disk has room to open the store.
  func makeRoomForOpening() {
    let rest = Int(DiskSpace.size(of: path)) - Self.openingSize
    guard rest >= Self.erasingSize else { return }
    let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    ftruncate(descriptor, off_t(rest))
    close(descriptor)
  }
}
