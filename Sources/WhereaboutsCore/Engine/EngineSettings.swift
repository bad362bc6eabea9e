/// What an engine must know beforehand. Part of a journal, so that it can be run again.
public struct EngineSettings: Hashable, Sendable, Codable {
  /// What stands between the program and its fixes.
  public enum AuthorizationPlan: Hashable, Sendable, Codable {
    /// Nothing, as far as is known: the source says so if it finds out otherwise.
    case notNeeded
    /// A person must say yes, and has not been heard yet. They are asked for this level as soon as something is
    /// needed; never where it is `nil`, because the program asks by itself.
    case needed(asking: Authorization.Level?)
  }

  /// What stands between the program and its fixes.
  public var authorization: AuthorizationPlan
  /// How it is told how the device moves; `nil` where nobody is to know, and ``Engine/motion`` stays unknown.
  public var motion: MotionSettings?
  /// Which fixes are taken for errors because the device can't have come there; `nil` where none is.
  public var outliers: OutlierSettings?
  /// How fences are watched.
  public var fences: FenceSettings
  /// How power is saved.
  public var power: PowerSettings

  /// Settings of an engine.
  public init(
    authorization: AuthorizationPlan = .notNeeded, motion: MotionSettings? = .standard,
    outliers: OutlierSettings? = OutlierSettings(), fences: FenceSettings = FenceSettings(),
    power: PowerSettings = PowerSettings()
  ) {
    self.authorization = authorization
    self.motion = motion
    self.outliers = outliers
    self.fences = fences
    self.power = power
  }

  /// How things stand before anything has happened.
  var initialAuthorization: Authorization {
    switch authorization {
    case .notNeeded: Authorization(.always)
    case .needed: Authorization(.notDetermined)
    }
  }
}
