/// How sparing the source is to be used, as a list of limits: whatever is asked for, no more than this is asked of it.
///
/// A preset limits subscriptions and trackers. A request in the foreground gets what it asks for, always; fences get what
/// they need, unless ``coarsensFences`` says otherwise.
public struct PowerPreset: Hashable, Sendable {
  /// What becomes of subscriptions and trackers in the background.
  public enum Background: String, Hashable, Sendable, Codable, CaseIterable {
    /// What ``PowerSettings/background`` says.
    case bySettings = "by settings"
    /// They go on.
    case continues
    /// Large moves are all they get.
    case significantChanges = "significant changes"
  }

  /// How it is called.
  public var name: String
  /// The accuracy that is asked for at best, in metres; 0 for any.
  public var accuracy: Double
  /// The least time between two fixes that is asked for. Trackers are spared it: their way would be another.
  public var interval: Duration
  /// The least movement that is worth a fix, by speed; `nil` where that is for the subscriber to say. Only for plain
  /// fixes: whoever wants to know of stays would hear nothing of them through a filter, and a way would be another.
  public var filters: PowerFilters?
  /// What is spared while the device stands still; `nil` where nothing is.
  public var rest: PowerRest?
  /// What goes on in the background.
  public var background: Background
  /// Whether subscriptions and trackers get large moves only, also in the foreground.
  public var onlySignificantChanges: Bool
  /// Whether fences are watched by coarse fixes only, of a street corner: a crossing is told later, and a fence that is
  /// smaller than that may be passed through unseen. They rest and wake as ever.
  public var coarsensFences: Bool

  /// A preset of one's own; one that is only named limits nothing.
  public init(
    name: String, accuracy: Double = 0, interval: Duration = .zero, filters: PowerFilters? = nil,
    rest: PowerRest? = nil, background: Background = .bySettings, onlySignificantChanges: Bool = false,
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

  /// Whether it takes nothing away in the foreground.
  var limitsNothing: Bool {
    accuracy == 0 && interval == .zero && filters == nil && rest == nil && !onlySignificantChanges
      && !coarsensFences
  }
}

extension PowerPreset {
  /// As asked for; the standard.
  public static let precise = PowerPreset(name: "precise")
  /// 10 m at best, a fix every 10 m on foot, 50 m otherwise and 400 m on a highway, every 15 s at rest.
  public static let balanced = PowerPreset(
    name: "balanced", accuracy: 10, filters: .standard,
    rest: PowerRest(after: .seconds(180), interval: .seconds(15)))
  /// A street corner at best, four fixes a minute, two at rest, in the background large moves.
  public static let low = PowerPreset(
    name: "low", accuracy: AccuracyLevel.block.worstAccuracy, interval: .seconds(15),
    filters: PowerFilters(walking: 50, otherwise: 100, highway: 800, highwaySpeed: 20),
    rest: PowerRest(after: .seconds(60), interval: .seconds(30)), background: .significantChanges)
  /// Large moves only, and fences by coarse fixes.
  public static let minimal = PowerPreset(
    name: "minimal", accuracy: AccuracyLevel.block.worstAccuracy, background: .significantChanges,
    onlySignificantChanges: true, coarsensFences: true)

  /// Those that come with it, the most precise first.
  public static let standard: [PowerPreset] = [.precise, .balanced, .low, .minimal]

  /// The standard preset of that name, or `nil`.
  public static func named(_ name: some StringProtocol) -> PowerPreset? {
    standard.first { $0.name == name }
  }
}

/// The least movement that is worth a fix, by how fast the device is.
public struct PowerFilters: Hashable, Sendable, Codable {
  /// On foot, in metres.
  public var walking: Double
  /// Otherwise, in metres.
  public var otherwise: Double
  /// On a highway, in metres.
  public var highway: Double
  /// From which speed on it is a highway, in metres per second. It is one no longer below nine tenths of that.
  public var highwaySpeed: Double

  /// 10 m on foot, 50 m otherwise, 400 m from 20 m/s on.
  public static let standard = PowerFilters(walking: 10, otherwise: 50, highway: 400, highwaySpeed: 20)

  /// Filters in metres, and a speed in metres per second; what is negative or no number counts as 0.
  public init(walking: Double, otherwise: Double, highway: Double, highwaySpeed: Double) {
    self.walking = walking >= 0 ? walking : 0
    self.otherwise = otherwise >= 0 ? otherwise : 0
    self.highway = highway >= 0 ? highway : 0
    self.highwaySpeed = highwaySpeed >= 0 ? highwaySpeed : 0
  }
}

/// What is spared while the device stands still.
///
/// The source stays on, or nobody would see that the device moves again; but one that can rest between two fixes does.
/// Trackers are spared it.
public struct PowerRest: Hashable, Sendable {
  /// How long it must have stood.
  public var after: Duration
  /// The least time between two fixes that is asked for then. Longer than ``MotionSettings/silence`` would end the rest
  /// by itself, since nobody would know any more that it stands.
  public var interval: Duration

  /// A rest after so long, with a fix so often; what is negative counts as 0.
  public init(after: Duration, interval: Duration) {
    self.after = max(after, .zero)
    self.interval = max(interval, .zero)
  }
}
