/// A set of limits on the source's use: no demand exceeds them.
///
/// A preset limits subscriptions and trackers. A request in the foreground always gets the fixes it asks for. Fences
/// get the fixes they need, unless ``coarsensFences`` is set.
public struct PowerPreset: Hashable, Sendable {
  /// The treatment of subscriptions and trackers in the background.
  public enum Background: String, Hashable, Sendable, Codable, CaseIterable {
    /// ``PowerSettings/background`` decides.
    case bySettings = "by settings"
    /// Subscriptions and trackers continue.
    case continues
    /// Subscriptions and trackers get significant changes only.
    case significantChanges = "significant changes"
  }

  /// The name of the preset.
  public var name: String
  /// The best accuracy that is requested, in metres; 0 for any.
  public var accuracy: Double
  /// The least time between two fixes that is requested. Trackers are exempt, because the limit would change their
  /// tracks.
  public var interval: Duration
  /// The least movement that is worth a fix, by speed; `nil` to leave the filter to subscribers. The filters apply to
  /// plain fixes only: a filter would hide stays from a stay detector and change a track.
  public var filters: Filters?
  /// The reduction while the device stands still; `nil` for none.
  public var rest: Rest?
  /// The treatment of subscriptions and trackers in the background.
  public var background: Background
  /// Whether subscriptions and trackers get significant changes only, also in the foreground.
  public var onlySignificantChanges: Bool
  /// Whether fences are watched by coarse fixes only, at the level of a street corner. A crossing is then reported
  /// later, and the device may pass through a smaller fence unseen. The fences rest and wake as usual.
  public var coarsensFences: Bool

  /// Creates a custom preset. A preset that has only a name reduces nothing.
  public init(
    name: String, accuracy: Double = 0, interval: Duration = .zero, filters: Filters? = nil,
    rest: Rest? = nil, background: Background = .bySettings, onlySignificantChanges: Bool = false,
    coarsensFences: Bool = false
  ) {
    self.name = name
    self.accuracy = accuracy >= 0 ? accuracy : 0
    self.interval = max(interval, .zero)
    self.filters = filters
    self.rest = rest
    self.background = background
    self.onlySignificantChanges = onlySignificantChanges
    self.coarsensFences = coarsensFences
  }

  /// Whether the preset reduces nothing in the foreground.
  package var isUnlimited: Bool {
    accuracy == 0 && interval == .zero && filters == nil && rest == nil && !onlySignificantChanges
      && !coarsensFences
  }
}

extension PowerPreset {
  /// The standard preset: no limits.
  public static let precise = PowerPreset(name: "precise")
  /// 10 m at best; a fix every 10 m on foot, 50 m otherwise and 400 m on a highway; every 15 s at rest.
  public static let balanced = PowerPreset(
    name: "balanced", accuracy: 10, filters: .standard,
    rest: Rest(after: .seconds(180), interval: .seconds(15)))
  /// A street corner at best, four fixes a minute, two at rest, significant changes in the background.
  public static let low = PowerPreset(
    name: "low", accuracy: AccuracyLevel.block.worstAccuracy, interval: .seconds(15),
    filters: Filters(walking: 50, otherwise: 100, highway: 800, highwaySpeed: 20),
    rest: Rest(after: .seconds(60), interval: .seconds(30)), background: .significantChanges)
  /// Significant changes only, and fences by coarse fixes.
  public static let minimal = PowerPreset(
    name: "minimal", accuracy: AccuracyLevel.block.worstAccuracy, background: .significantChanges,
    onlySignificantChanges: true, coarsensFences: true)

  /// The standard presets, the most precise first.
  public static let standard: [PowerPreset] = [.precise, .balanced, .low, .minimal]

  /// Returns the standard preset of that name, or `nil`.
  public static func named(_ name: some StringProtocol) -> PowerPreset? {
    standard.first { $0.name == name }
  }
}

extension PowerPreset {
  /// The least movement that is worth a fix, by the device's speed.
  public struct Filters: Hashable, Sendable, Codable {
    /// The filter on foot, in metres.
    public var walking: Double
    /// The filter otherwise, in metres.
    public var otherwise: Double
    /// The filter on a highway, in metres.
    public var highway: Double
    /// The speed at which highway driving begins, in metres per second. Highway driving ends below nine tenths of this
    /// speed.
    public var highwaySpeed: Double

    /// The standard filters: 10 m on foot, 400 m at 20 m/s or more, 50 m otherwise.
    public static let standard = Filters(walking: 10, otherwise: 50, highway: 400, highwaySpeed: 20)

    /// Creates filters in metres, and a speed in metres per second; a negative value or one that is not a number counts
    /// as 0.
    public init(walking: Double, otherwise: Double, highway: Double, highwaySpeed: Double) {
      self.walking = walking >= 0 ? walking : 0
      self.otherwise = otherwise >= 0 ? otherwise : 0
      self.highway = highway >= 0 ? highway : 0
      self.highwaySpeed = highwaySpeed >= 0 ? highwaySpeed : 0
    }
  }

  /// The reduction while the device stands still.
  ///
  /// The source stays on, so that the device's next movement is seen. A source that can rest between two fixes does so.
  /// Trackers are exempt.
  public struct Rest: Hashable, Sendable {
    /// The time for which the device must have stood still.
    public var after: Duration
    /// The least time between two fixes that is then requested. An interval longer than ``Motion/Settings/silence``
    /// would end the rest by itself, because the motion would become unknown.
    public var interval: Duration

    /// Creates a rest that begins after a time and has an interval between fixes; a negative value counts as 0.
    public init(after: Duration, interval: Duration) {
      self.after = max(after, .zero)
      self.interval = max(interval, .zero)
    }
  }
}
