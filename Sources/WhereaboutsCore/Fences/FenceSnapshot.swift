/// All fences and what one device has seen of them, as of one moment: what must outlive a process.
///
/// Restored in another process it goes on as if nothing had happened, but for what nobody saw meanwhile.
public struct FenceSnapshot: Hashable, Sendable, Codable {
  /// The fences, in the order in which their areas came.
  public let fences: [Fence]
  /// The number of each one's area; see ``FenceBook``.
  package let serials: [UInt64]
  /// The number of the area that came last, which may be gone.
  package let lastSerial: UInt64
  /// What the device has seen of them.
  public let watch: FenceWatch

  /// The fences of a book as they stand, and a watch over them.
  public init(_ book: FenceBook, _ watch: FenceWatch) {
    let entries = book.inOrder
    fences = entries.map(\.fence)
    serials = entries.map(\.serial)
    lastSerial = book.lastSerial
    self.watch = watch
  }

  /// Fences with the numbers of their areas, and a watch over them.
  package init(fences: [Fence], serials: [UInt64], lastSerial: UInt64, watch: FenceWatch) {
    self.fences = fences
    self.serials = serials
    self.lastSerial = lastSerial
    self.watch = watch
  }

  /// The fences, to go on with.
  public var book: FenceBook {
    FenceBook(zip(fences, serials).lazy.map { ($0, serial: $1) }, lastSerial: lastSerial)
  }
}
