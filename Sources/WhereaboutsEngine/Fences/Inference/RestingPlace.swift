import WhereaboutsModel
import WhereaboutsGeodesy

/// The resting place of a device: the mean of consistent fixes, and the time since when they agree.
struct RestingPlace: Hashable, Sendable, Codable {
  /// The mean place in earth-centred metres.
  private(set) var place: SIMD3<Double>
  /// The variance of a fix at the place, in m² per axis.
  private(set) var variance: Double
  /// The times of the first and the last consistent fix.
  private(set) var since: UTCTime
  private(set) var last: UTCTime
  /// The number of consistent fixes, up to ``maximumCount``.
  private(set) var count = 1.0
  /// The assumed rest before ``since``, in seconds.
  private var before = OutlierModel.assumedRest

  /// The greatest weight of the mean in fixes, so that the mean follows slow receiver errors.
  static let maximumCount = 60.0
  /// The distance from the mean, in standard deviations of both, beyond which a fix is inconsistent.
  static let agreementDeviations = 4.0
  /// A speed in m/s that no receiver at rest states.
  static let movingSpeed = 1.5

  /// - Parameter rounding: the variance that coordinate rounding adds to the fix, in m² per axis.
  init(_ fix: CompactFix, rounding: Double) {
    place = EarthCentred(fix.coordinate).place
    variance = fix.deviation * fix.deviation + rounding
    since = fix.time
    last = fix.time
    if fix.speed.map({ Double($0) }) ?? 0 > Self.movingSpeed { before = OutlierModel.arrivalRest }
  }

  /// Processes an accepted fix, later than all before it.
  mutating func process(_ fix: CompactFix, rounding: Double) {
    let here = EarthCentred(fix.coordinate).place, own = fix.deviation * fix.deviation + rounding
    let speed = fix.speed.map { Double($0) } ?? 0
    let off = here - place
    last = fix.time
    if speed > Self.movingSpeed
      || (off * off).sum() > Self.agreementDeviations * Self.agreementDeviations * (variance + own)
    {
      place = here
      variance = own
      since = fix.time
      count = 1
      before = OutlierModel.arrivalRest
      return
    }
    count = min(Self.maximumCount, count + 1)
    place += off / count
    variance += (own - variance) / count
  }

  /// Extends the rest to the time of a fix without further evidence.
  mutating func extend(to time: UTCTime) { last = time }

  /// The rest up to the last fix in seconds, including the assumed rest before.
  var restDuration: Double { max(0, last.seconds(since: since)) + before }

  /// The observed rest, in seconds.
  var observedRestDuration: Double { max(0, last.seconds(since: since)) }
}
