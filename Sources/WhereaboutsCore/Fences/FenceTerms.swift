/// What is to be told of a fence, and how sure it must be.
///
/// Every number is kept within what it can mean: what is out of range counts as the nearest that is not, and what is no
/// number as the default.
public struct FenceTerms: Hashable, Sendable, Codable {
  /// How probable it must be that the device is inside for it to have entered, in [0.5, 0.9999].
  public var enterConfidence: Double
  /// How probable it must be that the device is outside for it to have left, in [0.5, 0.9999].
  public var exitConfidence: Double
  /// How many metres beyond the boundary the device must be to have left, on top of what its accuracy asks for.
  public var hysteresisMargin: Double
  /// How long the device must have been inside for it to have entered; shorter visits are none.
  public var enterDwell: Duration
  /// How long the device must have been outside for it to have left; shorter absences are none.
  public var exitDwell: Duration
  /// How long the device must have been inside for ``FenceEvent/Kind/dwell``; `nil` for none.
  public var dwell: Duration?
  /// Which events are told; the others are known all the same.
  public var notify: Set<FenceEvent.Kind>
  /// Whether the first determination, after the fence was added, is told as if it were a crossing. That a device is
  /// outside is told of only where ``notify`` has exits.
  public var tellsInitialSide: Bool
  /// Whether the fence is removed with the first event that is told.
  public var once: Bool
  /// When the fence is removed by itself; `nil` never.
  public var expiry: UTCTime?
  /// When events are told; `nil` always.
  ///
  /// What happened outside these hours is not told then; when they begin, what has changed since they last ended is told
  /// as one event, with the time that it happened.
  public var activeHours: ActiveHours?
  /// How long an event may wait to be told. While it waits, a fix that comes late can still change it unnoticed, and
  /// the receiver may look more seldom.
  public var responsiveness: Duration

  /// Terms of a fence; 95 % both ways, every event but dwelling, told at once.
  public init(
    enterConfidence: Double = 0.95, exitConfidence: Double = 0.95, hysteresisMargin: Double = 0,
    enterDwell: Duration = .zero, exitDwell: Duration = .zero, dwell: Duration? = nil,
    notify: Set<FenceEvent.Kind> = Set(FenceEvent.Kind.allCases), tellsInitialSide: Bool = false,
    once: Bool = false, expiry: UTCTime? = nil, activeHours: ActiveHours? = nil,
    responsiveness: Duration = .zero
  ) {
    self.enterConfidence = enterConfidence
    self.exitConfidence = exitConfidence
    self.hysteresisMargin = hysteresisMargin
    self.enterDwell = enterDwell
    self.exitDwell = exitDwell
    self.dwell = dwell
    self.notify = notify
    self.tellsInitialSide = tellsInitialSide
    self.once = once
    self.expiry = expiry
    self.activeHours = activeHours
    self.responsiveness = responsiveness
  }
}
