/// The events that a fence reports, and the confidence that they need.
///
/// A number out of range counts as the nearest valid value. A NaN counts as the default.
///
/// Dwell times continue without fixes while the program runs, because the receiver may be off while the device rests. After
/// a restart, an event that is due more than ``FenceSettings/gap`` after the last fix waits for the next fix: nothing
/// observed the device meanwhile. If the fix shows that the device had left before, the stay is not reported. An event
/// that waits for ``activeHours`` waits for the fix, too.
public struct FenceTerms: Hashable, Sendable, Codable {
  /// The probability of being inside required for an enter event, in [0.5, 0.9999].
  public var enterConfidence: Double
  /// The probability of being outside required for an exit event, in [0.5, 0.9999].
  public var exitConfidence: Double
  /// The distance beyond the boundary required for an exit, in metres, on top of the margin for the device's
  /// accuracy.
  public var hysteresisMargin: Double
  /// The time inside required for an enter event; shorter visits are ignored.
  public var enterDwell: Duration
  /// The time outside required for an exit event; shorter absences are ignored.
  public var exitDwell: Duration
  /// The time inside required for ``FenceEvent/Kind/dwell``; `nil` for no dwell event. Each stay has one dwell event at
  /// most. A time that is changed during a stay counts from the beginning of the stay, and may be over already.
  public var dwell: Duration?
  /// The kinds of events to report; the others are detected without a report.
  public var notify: Set<FenceEvent.Kind>
  /// Whether the first determination after adding the fence is reported like a crossing. An initial outside is
  /// reported only if ``notify`` contains exits, and only near the fence: no farther from the boundary than about 60 m
  /// and six accuracies of the fix. Farther away, the side is outside without an event.
  public var reportsInitialSide: Bool
  /// Whether the fence is removed after its first reported event.
  public var once: Bool
  /// The time at which the fence is removed automatically; `nil` for never. If the fixes are more than a day ahead of a
  /// wall clock that is set, the fence reports nothing after this time of a fix, and is removed at this time of the
  /// clock.
  public var expiry: UTCTime?
  /// The hours in which events are reported; `nil` for always.
  ///
  /// An enter or exit outside these hours is withheld. At the start of the next hours, the net change is reported as
  /// one event with its original time. A dwell event outside these hours is not reported.
  public var activeHours: ActiveHours?
  /// The longest time for which an event may wait to be reported. Meanwhile a late fix can still change the event
  /// unnoticed, and the receiver may measure less often.
  public var responsiveness: Duration

  /// Creates terms; by default 95 % both ways, every event except dwell, reported at once.
  public init(
    enterConfidence: Double = 0.95, exitConfidence: Double = 0.95, hysteresisMargin: Double = 0,
    enterDwell: Duration = .zero, exitDwell: Duration = .zero, dwell: Duration? = nil,
    notify: Set<FenceEvent.Kind> = Set(FenceEvent.Kind.allCases), reportsInitialSide: Bool = false,
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
    self.reportsInitialSide = reportsInitialSide
    self.once = once
    self.expiry = expiry
    self.activeHours = activeHours
    self.responsiveness = responsiveness
  }
}
