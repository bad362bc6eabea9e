import WhereaboutsEngine

/// The settings of a location manager, fixed at its creation.
public struct ManagerSettings: Hashable, Sendable {
  /// The policy of asking a person for permission.
  public enum AuthorizationPrompt: Hashable, Sendable {
    /// Asks once, as soon as fixes are needed and nobody has answered yet: for the preferred level, or else for the
    /// highest level that the source may request. A granted level is not raised; the program asks for that by itself.
    case automatically(preferred: Authorization.Level? = nil)
    /// Never asks; the program asks by itself.
    case never
  }

  /// The policy of asking a person for permission.
  public var authorizationPrompt: AuthorizationPrompt
  /// The source's behaviour while the program is in the background.
  public var background: Background
  /// The settings of motion detection; `nil` detects and reports no motion.
  public var motion: Motion.Settings?
  /// The settings for refusing fixes that the device can't have reached; `nil` refuses none.
  public var outliers: Outlier.Settings?
  /// The settings of fence monitoring.
  public var fences: FenceSettings
  /// The settings of power saving. The manager reads the rules of the time zones of their hours, as
  /// `PowerSettings.resolvingTimeZones()` does; the hours of a zone that the system does not know count in UTC.
  public var power: PowerSettings
  /// The handling of fence events that can't be stored.
  public var unsavedEvents: UnsavedEventPolicy
  /// Whether changes of the engine's state alone, such as the begin of a trip, are stored with the next fix, and the
  /// usage of a receiver never. For the phones of a server: a process that is killed before that fix makes the changes
  /// again with it. Urgent changes, which a later process would not make again, are stored at once. A phone that sends
  /// nothing rests, so its stays also go on after a restart (`Restoration/silenceIsRest`).
  package var storesStateWithFixes = false

  /// Creates the settings of a manager.
  public init(
    authorizationPrompt: AuthorizationPrompt = .automatically(),
    background: Background = Background(),
    motion: Motion.Settings? = .standard, outliers: Outlier.Settings? = Outlier.Settings(),
    fences: FenceSettings = FenceSettings(), power: PowerSettings = PowerSettings(),
    unsavedEvents: UnsavedEventPolicy = .reported
  ) {
    self.authorizationPrompt = authorizationPrompt
    self.background = background
    self.motion = motion
    self.outliers = outliers
    self.fences = fences
    self.power = power
    self.unsavedEvents = unsavedEvents
  }

  /// Returns the engine's settings for a source's authorization needs and a clock.
  func engineSettings(for needs: Authorization.Needs, clock: ManagerClock) -> EngineSettings {
    var fences = fences
    // A source that brings its own time would never reach the end of a rest.
    if case .drivenBySource = clock.kind { fences.savesPower = false }
    return EngineSettings(
      authorization: authorizationPlan(for: needs), motion: motion, outliers: outliers, fences: fences,
      power: power.resolvingKnownTimeZones())
  }

  private func authorizationPlan(for needs: Authorization.Needs) -> EngineSettings.AuthorizationPlan {
    switch (needs, authorizationPrompt) {
    case (.none, _): .notNeeded
    case (.userConsent, .never): .needed(asking: nil)
    case (.userConsent(let askable), .automatically(let preferred)):
      .needed(asking: preferred.flatMap { askable.contains($0) ? $0 : nil } ?? askable.max())
    }
  }
}

extension ManagerSettings {
  /// The source's behaviour while the program is in the background, on platforms that have a background.
  public struct Background: Hashable, Sendable {
    /// Whether fixes continue in the background.
    public var allowsUpdates: Bool
    /// Whether the platform shows the person an indicator of background fixes.
    public var showsIndicator: Bool
    /// Whether the platform may pause fixes by itself when the device seems to be at rest.
    public var pausesAutomatically: Bool

    /// Creates background settings; by default nothing continues in the background.
    public init(allowsUpdates: Bool = false, showsIndicator: Bool = false, pausesAutomatically: Bool = false)
    {
      self.allowsUpdates = allowsUpdates
      self.showsIndicator = showsIndicator
      self.pausesAutomatically = pausesAutomatically
    }
  }

  /// The handling of fence events that can't be stored.
  public enum UnsavedEventPolicy: String, Hashable, Sendable, CaseIterable {
    /// Events are reported before they are stored. The next process may report an unsaved event again.
    case reported
    /// Events are held back until they are stored. Those of a manager whose store is ``StoreHealth/unusable(_:)`` are
    /// nevertheless reported at once, without a ``FenceUpdate/number``, and are never stored.
    case heldBack
  }
}
