public import WhereaboutsModel

/// All fences and the state of one device towards them at one moment: the state that must outlive a process.
///
/// A watch restored in another process continues without a gap, except for the time in which no fix arrived.
public struct FenceSnapshot: Hashable, Sendable, Codable {
  /// The fences, in the order in which their areas were added.
  public let fences: [Fence]
  /// The serial of each fence's area; see ``FenceRegistry``.
  package let serials: [UInt64]
  /// The serial of the last added area, which may have been removed.
  package let lastSerial: UInt64
  /// The state of the device towards the fences.
  public let watch: FenceWatch

  /// Creates a snapshot of a registry and a watch.
  public init(_ book: FenceRegistry, _ watch: FenceWatch) {
    let entries = book.entriesBySerial
    fences = entries.map(\.fence)
    serials = entries.map(\.serial)
    lastSerial = book.lastSerial
    self.watch = watch
  }

  /// Creates a snapshot of fences, the serials of their areas and a watch.
  package init(fences: [Fence], serials: [UInt64], lastSerial: UInt64, watch: FenceWatch) {
    self.fences = fences
    self.serials = serials
    self.lastSerial = lastSerial
    self.watch = watch
  }

  /// A registry of the fences, with their serials.
  public var registry: FenceRegistry {
    FenceRegistry(zip(fences, serials).lazy.map { ($0, serial: $1) }, lastSerial: lastSerial)
  }
}
