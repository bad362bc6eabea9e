public import Whereabouts
public import WhereaboutsCore

/// What is to be forgotten.
public enum Forgetting: Hashable, Sendable {
  /// All of every device, the queues of uploads included. Endpoints stay.
  case everything
  /// All of a device, as if it had never been.
  case device(DeviceID)
  /// What happened in a span of a device: fixes, crossings, gaps, trips that lie in it altogether, spells of the receiver that
  /// began in it, and uploads that hold any of it. Where the state of the engine may hold places of that span it goes too: see ``state(of:)``.
  case span(Range<UTCTime>, of: DeviceID)
  /// All crossings of a device, delivered or not.
  case crossings(of: DeviceID)
  /// A trip of a device with its gaps, but not the fixes of it.
  case trip(TripID, of: DeviceID)
  /// What the engine knows of a device besides its fixes: on which side of its fences it is is found out anew. Helps where
  /// it can't be read.
  case state(of: DeviceID)
}

/// How far it is.
public struct UpkeepProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// Rows are erased.
    case erasing
    /// What is free goes back to the disk.
    case shrinking
  }

  /// What is being done.
  public var phase: Phase
  /// Rows erased so far.
  public var erased: Int
  /// The share of ``phase`` that is done, in [0, 1].
  public var share: Double

  /// How far it is.
  public init(phase: Phase, erased: Int, share: Double) {
    self.phase = phase
    self.erased = erased
    self.share = share
  }
}
