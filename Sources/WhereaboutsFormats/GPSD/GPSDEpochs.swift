import WhereaboutsCore

/// Makes one fix of all the TPV reports of an instant, for one device.
///
/// A fix is given with the first report that has a position, so that nobody waits. Where the instant before turned out
/// to have said later how far off the position may be, the position is held back for that; it is given without where the
/// next report is of another instant, and from then on at once again.
///
/// An instant that is not later than the latest told is told no more: receivers without reception, and gpsd itself, repeat
/// old positions, and some devices report two instants in turn. Only a step back of five seconds or more is a clock that
/// was set, and a new beginning. Without times a position is told where it differs from the one before.
struct GPSDEpochs {
  /// How far back time must go to be believed.
  private static let restart = Duration.seconds(5)
  /// How old a sky may be that a fix is said to have been made under.
  private static let oldestSky = Duration.seconds(10)
  /// As ``oldestSky`` where there are no times: so many reports ago.
  private static let longestSky = 20

  /// What was said of the instant at hand.
  private var current: GPSDPosition?
  /// Whether that was told, or is not to be.
  private var isTold = false
  private var latestTold: UTCTime?
  private var lastUntimed: GPSDPosition?
  private var awaitsErrors = false
  private var wasWithoutMode = true
  private var sky: GPSDSky?
  private var reportsSinceSky = 0

  mutating func take(_ sky: GPSDSky) {
    var sky = sky
    if let earlier = self.sky { sky.complete(with: earlier) }
    self.sky = sky
    reportsSinceSky = 0
  }

  /// What was begun belongs to a connection that is gone.
  mutating func forgetCurrent() {
    current = nil
    isTold = false
  }

  /// Takes one report, and hands over what it means.
  mutating func take(_ report: GPSDPosition, _ tell: (GPSDReport) -> Void) {
    reportsSinceSky += 1
    var position = report
    let isSameInstant = current.map { report.time != nil && $0.time == report.time } ?? false
    if isSameInstant, let current {
      position.complete(with: current)
    } else {
      giveHeld(tell)
      isTold = false
    }
    defer { current = position }
    let hadNoMode = wasWithoutMode
    wasWithoutMode = report.mode == 0
    guard position.hasPosition else {
      // Once 0 is often no more than the first part of an instant.
      let isWithout = report.mode == 1 || (report.mode == 0 && hadNoMode)
      if isWithout, !isTold { tell(.noPosition(device: report.device)) }
      return
    }
    guard !isTold else {
      if !awaitsErrors, report.hasHorizontalError, current?.hasHorizontalError == false {
        awaitsErrors = true
      }
      tell(.repetition(device: report.device))
      return
    }
    guard isNew(position) else {
      isTold = true
      tell(.repetition(device: report.device))
      return
    }
    if awaitsErrors, position.time != nil, !position.hasHorizontalError { return }
    give(position, tell)
  }

  /// The errors that a position was held back for did not come.
  private mutating func giveHeld(_ tell: (GPSDReport) -> Void) {
    guard awaitsErrors, !isTold, let held = current, held.hasPosition else { return }
    awaitsErrors = false
    give(held, tell)
  }

  private mutating func give(_ position: GPSDPosition, _ tell: (GPSDReport) -> Void) {
    isTold = true
    latestTold = position.time ?? latestTold
    lastUntimed = position.time == nil ? position : nil
    guard let fix = position.fix(sky: sky(at: position.time)) else { return }
    tell(.fix(fix, device: position.device))
  }

  private func isNew(_ position: GPSDPosition) -> Bool {
    guard let time = position.time else { return lastUntimed.map { !position.isInPlace(of: $0) } ?? true }
    guard let latestTold else { return true }
    return time > latestTold || latestTold.since(time) >= Self.restart
  }

  private func sky(at time: UTCTime?) -> GPSDSky? {
    guard let sky else { return nil }
    if let seen = sky.time, let time {
      let age = time.since(seen)
      return age <= Self.oldestSky && age >= .zero - Self.oldestSky ? sky : nil
    }
    return reportsSinceSky <= Self.longestSky ? sky : nil
  }
}
