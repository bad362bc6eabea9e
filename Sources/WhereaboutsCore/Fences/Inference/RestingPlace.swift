import WhereaboutsGeodesy

/// Where a device has been resting, as far as its fixes tell: the mean of those that agree, and since when they do.
struct RestingPlace: Hashable, Sendable, Codable {
  /// The mean, metres, earth-centred.
  private(set) var place: SIMD3<Double>
  /// Of a fix there, in m² an axis.
  private(set) var variance: Double
  /// The first and the last fix that agree.
  private(set) var since: UTCTime
  private(set) var last: UTCTime
  /// How many fixes agree, up to ``most``.
  private(set) var count = 1.0
  /// Seconds that the rest is taken to have lasted before ``since``.
  private var before = OutlierModel.unseenRest

  /// Where the mean of so many follows slow errors of the receiver.
  static let most = 60.0
  /// A fix farther from the mean than so many standard deviations of both does not agree with it.
  static let agreement = 4.0
  /// No receiver at rest states this speed, in m/s.
  static let surelyMoving = 1.5

  /// - Parameter rounding: what that adds to the variance of the fix, in m² an axis.
  init(_ fix: BriefFix, rounding: Double) {
    place = EarthCentred(fix.coordinate).place
    variance = fix.deviation * fix.deviation + rounding
    since = fix.time
    last = fix.time
    if fix.speed.map({ Double($0) }) ?? 0 > Self.surelyMoving { before = OutlierModel.newRest }
  }

  /// Takes a fix that is believed, later than all before it.
  mutating func take(_ fix: BriefFix, rounding: Double) {
    let here = EarthCentred(fix.coordinate).place, own = fix.deviation * fix.deviation + rounding
    let speed = fix.speed.map { Double($0) } ?? 0
    let off = here - place
    last = fix.time
    if speed > Self.surelyMoving
      || (off * off).sum() > Self.agreement * Self.agreement * (variance + own)
    {
      place = here
      variance = own
      since = fix.time
      count = 1
      before = OutlierModel.newRest
      return
    }
    count = min(Self.most, count + 1)
    place += off / count
    variance += (own - variance) / count
  }

  /// A fix came that says nothing of the rest.
  mutating func pass(to time: UTCTime) { last = time }

  /// How long it has rested by the last fix, in seconds, with what is assumed of the time before.
  var rested: Double { max(0, last.seconds(since: since)) + before }

  /// How long it has been seen to rest, in seconds.
  var seenResting: Double { max(0, last.seconds(since: since)) }
}
