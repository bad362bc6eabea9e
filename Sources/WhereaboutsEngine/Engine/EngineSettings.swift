public import WhereaboutsModel

/// The settings of an engine. A journal contains them, so that the engine can be run again.
public struct EngineSettings: Hashable, Sendable, Codable {
  /// The authorization that fixes need.
  public enum AuthorizationPlan: Hashable, Sendable, Codable {
    /// None, as far as is known; the source reports otherwise.
    case notNeeded
    /// A user must allow fixes, and has not answered yet. The user is asked for this level as soon as something is
    /// needed; with `nil` never, because the program itself asks.
    case needed(asking: Authorization.Level?)
  }

  /// The authorization that fixes need.
  public var authorization: AuthorizationPlan
  /// The settings of motion classification; `nil` to switch it off, and ``Engine/motion`` stays unknown.
  public var motion: Motion.Settings?
  /// The settings of the outlier test; `nil` for none.
  public var outliers: Outlier.Settings?
  /// The settings of fences.
  public var fences: FenceSettings
  /// The settings of power saving.
  public var power: PowerSettings

  /// Creates settings of an engine.
  public init(
    authorization: AuthorizationPlan = .notNeeded, motion: Motion.Settings? = .standard,
    outliers: Outlier.Settings? = Outlier.Settings(), fences: FenceSettings = FenceSettings(),
    power: PowerSettings = PowerSettings()
  ) {
    self.authorization = authorization
    self.motion = motion
    self.outliers = outliers
    self.fences = fences
    self.power = power
  }

  /// The authorization before any signal.
  var initialAuthorization: Authorization {
    switch authorization {
    case .notNeeded: Authorization(.always)
    case .needed: Authorization(.notDetermined)
    }
  }
}
