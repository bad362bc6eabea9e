import WhereaboutsModel

/// A builder of one fix from all TPV reports of an instant, for one device.
///
/// A fix is emitted with the first report that has a position, without delay. If the previous instant's error estimates
/// arrived in a later report, the position is held back for them. If the next report is of another instant, the
/// position is emitted without them, and later positions are no longer held back.
///
/// An instant not later than the latest reported one is dropped: receivers without reception, and gpsd itself, repeat
/// old positions, and some devices report two instants in turn. A step back of five seconds or more is a clock that was
/// set, and a new beginning. Without times a position is reported if it differs from the one before.
struct GPSDEpochs {
  /// The least step back in time that is accepted as a new beginning.
  private static let restartThreshold = Duration.seconds(5)
  /// The greatest age of satellite data that belongs to a fix.
  private static let maxSkyAge = Duration.seconds(10)
  /// The limit as ``maxSkyAge`` for reports without times, in reports.
  private static let maxReportsSinceSky = 20

  /// The data of the current instant.
  private var current: GPSDPosition?
  /// The data of the instant before the current one.
  private var previous: GPSDPosition?
  /// Whether the current instant was reported, or is not to be.
  private var isReported = false
  private var latestReported: UTCTime?
  private var lastUntimed: GPSDPosition?
  private var awaitsErrors = false
  private var wasWithoutMode = true
  private var sky: GPSDSky?
  private var reportsSinceSky = 0

  mutating func process(_ sky: GPSDSky) {
    var sky = sky
    if let earlier = self.sky { sky.complete(with: earlier) }
    self.sky = sky
    reportsSinceSky = 0
  }

  /// Discards the current instant, whose connection is gone.
  mutating func discardCurrent() {
    current = nil
    previous = nil
    isReported = false
  }

  /// Processes one report, and passes the resulting reports.
  mutating func process(_ report: GPSDPosition, _ notify: (GPSDReport) -> Void) {
    reportsSinceSky += 1
    var position = report
    let isSameInstant = current.map { report.time != nil && $0.time == report.time } ?? false
    if isSameInstant, let current {
      position.complete(with: current)
    } else {
      emitHeld(notify)
      previous = current
      isReported = false
    }
    defer { current = position }
    let hadNoMode = wasWithoutMode
    wasWithoutMode = report.mode == 0
    guard position.hasPosition else {
      // A single 0 is often only the first part of an instant.
      let isWithout = report.mode == 1 || (report.mode == 0 && hadNoMode)
      if isWithout, !isReported { notify(.noPosition(device: report.device)) }
      return
    }
    guard !isReported else {
      if !awaitsErrors, report.hasHorizontalError, current?.hasHorizontalError == false {
        awaitsErrors = true
      }
      notify(.repetition(device: report.device))
      return
    }
    guard isNew(position) else {
      isReported = true
      notify(.repetition(device: report.device))
      return
    }
    if awaitsErrors, position.time != nil, !position.hasHorizontalError { return }
    emit(position, notify)
  }

  /// Reports a held position, whose error estimates did not arrive.
  private mutating func emitHeld(_ notify: (GPSDReport) -> Void) {
    guard awaitsErrors, !isReported, let held = current, held.hasPosition else { return }
    awaitsErrors = false
    emit(held, notify)
  }

  private mutating func emit(_ position: GPSDPosition, _ notify: (GPSDReport) -> Void) {
    isReported = true
    latestReported = position.time ?? latestReported
    lastUntimed = position.time == nil ? position : nil
    guard let fix = position.fix(sky: sky(at: position.time), after: previous) else { return }
    notify(.fix(fix, device: position.device))
  }

  private func isNew(_ position: GPSDPosition) -> Bool {
    guard let time = position.time else {
      return lastUntimed.map { !position.hasSameCoordinates(as: $0) } ?? true
    }
    guard let latestReported else { return true }
    return time > latestReported || latestReported.since(time) >= Self.restartThreshold
  }

  private func sky(at time: UTCTime?) -> GPSDSky? {
    guard let sky else { return nil }
    if let seen = sky.time, let time {
      let age = time.since(seen)
      return age <= Self.maxSkyAge && age >= .zero - Self.maxSkyAge ? sky : nil
    }
    return reportsSinceSky <= Self.maxReportsSinceSky ? sky : nil
  }
}
