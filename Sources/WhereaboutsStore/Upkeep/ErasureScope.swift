public import WhereaboutsModel

/// The data to erase.
public enum ErasureScope: Hashable, Sendable {
  /// All data of every device, including upload queues, and the rejected rows and shared fences of the server.
  /// Endpoints stay, as do access tokens and privacy zones for every device.
  case everything
  /// All data of a device, with its access tokens and privacy zones.
  case device(DeviceID)
  /// The data of a span: fixes, crossings, gaps, trips inside the span, receiver usages that began in the span, uploads
  /// with any of the data, stated visits with an instant in the span, and rejected rows that may hold any. If the
  /// engine's state may hold places of the span, the state is erased too; see ``state(of:)``.
  case span(Range<UTCTime>, of: DeviceID)
  /// All crossings of a device, delivered or not.
  case crossings(of: DeviceID)
  /// A trip of a device with its gaps, without its fixes.
  case trip(TripID, of: DeviceID)
  /// The engine's state of a device, without the fixes. The sides of its fences are detected anew. Helps if the state
  /// can't be read.
  case state(of: DeviceID)
}

/// The progress of an upkeep operation.
public struct UpkeepProgress: Hashable, Sendable {
  /// The phase of an upkeep operation.
  public enum Phase: Hashable, Sendable {
    /// Rows are erased.
    case erasing
    /// Free pages are returned to the disk.
    case shrinking
  }

  /// The current phase.
  public var phase: Phase
  /// The number of rows erased so far.
  public var erased: Int
  /// The finished share of ``phase``, in [0, 1].
  public var share: Double

  /// Creates a progress value.
  public init(phase: Phase, erased: Int, share: Double) {
    self.phase = phase
    self.erased = erased
    self.share = share
  }
}
