/// What a program decides once for its location manager.
public struct ManagerSettings: Hashable, Sendable {
  /// Whether and how a person is asked for permission.
  public enum Asking: Hashable, Sendable {
    /// As soon as fixes are needed, once: for the preferred level, or without one for the highest that the source says
    /// the program may ask for.
    case automatically(preferred: Authorization.Level? = nil)
    /// The program asks by itself.
    case never
  }

  /// Whether and how a person is asked for permission.
  public var asking: Asking
  /// How the source is to behave while the program is in the background.
  public var background: BackgroundSettings
  /// How it is told how the device moves; `nil` where nobody is to know, and no motion is told.
  public var motion: MotionSettings?
  /// Which fixes are taken for errors because the device can't have come there; `nil` where none is.
  public var outliers: OutlierSettings?
  /// How fences are watched.
  public var fences: FenceSettings
  /// How power is saved.
  public var power: PowerSettings
  /// What is done with events at fences while they can't be kept.
  public var unkeptEvents: UnkeptEvents

  /// Settings of a manager.
  public init(
    asking: Asking = .automatically(), background: BackgroundSettings = BackgroundSettings(),
    motion: MotionSettings? = .standard, outliers: OutlierSettings? = OutlierSettings(),
    fences: FenceSettings = FenceSettings(), power: PowerSettings = PowerSettings(),
    unkeptEvents: UnkeptEvents = .told
  ) {
    self.asking = asking
    self.background = background
    self.motion = motion
    self.outliers = outliers
    self.fences = fences
    self.power = power
    self.unkeptEvents = unkeptEvents
  }

  /// What to tell the engine, given what the source needs and what is taken for the time.
  func engineSettings(for needs: AuthorizationNeeds, clock: ManagerClock) -> EngineSettings {
    var fences = fences
    // A source that brings its own time would never come to the end of a rest.
    if case .drivenBySource = clock.kind { fences.savesPower = false }
    return EngineSettings(
      authorization: authorizationPlan(for: needs), motion: motion, outliers: outliers, fences: fences,
      power: power)
  }

  private func authorizationPlan(for needs: AuthorizationNeeds) -> EngineSettings.AuthorizationPlan {
    switch (needs, asking) {
    case (.none, _): .notNeeded
    case (.person, .never): .needed(asking: nil)
    case (.person(let askable), .automatically(let preferred)):
      .needed(asking: preferred.flatMap { askable.contains($0) ? $0 : nil } ?? askable.max())
    }
  }
}

/// How a source is to behave while the program is in the background, where the platform knows a background.
public struct BackgroundSettings: Hashable, Sendable {
  /// Whether fixes go on in the background.
  public var allowsUpdates: Bool
  /// Whether the platform shows the person that they do.
  public var showsIndicator: Bool
  /// Whether the platform may pause fixes by itself where it thinks the device has come to rest.
  public var pausesAutomatically: Bool

  /// Settings for the background; by default nothing goes on there.
  public init(allowsUpdates: Bool = false, showsIndicator: Bool = false, pausesAutomatically: Bool = false) {
    self.allowsUpdates = allowsUpdates
    self.showsIndicator = showsIndicator
    self.pausesAutomatically = pausesAutomatically
  }
}
