public import WhereaboutsModel

/// A position of a phone or tracker, with the values that a fix has no place for. A value that the message does not
/// state is `nil`.
public struct PhoneFix: Hashable, Sendable {
  /// The origin of a position's time.
  public enum TimeOrigin: String, Hashable, Sendable, Codable {
    /// The message states the time.
    case stated
    /// The message states a time that was moved: by whole rounds of the GPS week count, or from 2001 to 1970.
    case corrected
    /// The message states no time.
    case arrival
  }

  /// The position as stated. Its time is `nil` where ``timeOrigin`` is ``TimeOrigin/arrival``.
  public var fix: Fix
  /// The time of the position; the time of arrival if none is stated.
  public var time: UTCTime
  /// The origin of ``time``.
  public var timeOrigin: TimeOrigin
  /// The index of the position's row in its request, from 0.
  public var row: Int
  /// The device that the row states; `nil` if none.
  public var device: String?
  /// The battery of the device.
  public var battery: PhoneBattery?
  /// The cause of the message, in the app's own word: OwnTracks' `t`, Overland's `action`, Traccar's `event`.
  public var trigger: String?
  /// The position's provider, in the app's own word: `gps`, `network`, `fused`.
  public var provider: String?
  /// The kinds of motion, in the app's own words. The `activity` of ``fix`` is the first known one but for rest.
  public var activities: [String] = []
  /// The id of the trip that the position belongs to.
  public var trip: String?
  /// The name of the Wi-Fi network.
  public var wifi: String?
  /// The names of the regions that the device is in by the app's judgement.
  public var regions: [String] = []
  /// A text that a person or the app added: a point of interest, a description, a zone's name.
  public var note: String?

  /// Creates a position.
  public init(_ fix: Fix, time: UTCTime, timeOrigin: TimeOrigin, row: Int) {
    self.fix = fix
    self.time = time
    self.timeOrigin = timeOrigin
    self.row = row
  }

  /// The position with ``time`` as its time.
  public var timedFix: Fix {
    var fix = fix
    fix.time = time
    return fix
  }
}
