/// Refuses fixes that the device can't have come to; ``OutlierSettings`` says the rule.
///
/// Each fix goes through here, so it holds numbers only: a fix that is used costs a plane and a point in it.
struct OutlierTest: Sendable {
  enum Verdict: Equatable, Sendable {
    case accepted
    case believed(BelievedJump)
    case refused(Outlier)
  }

  private let settings: OutlierSettings?
  private let memory: Double
  /// The last fix that was trusted.
  private var anchor: PlacedState?
  /// Whether another fix has agreed with it.
  private var isConfirmed = false
  /// The last one refused, and how many in a row have agreed with each other.
  private var candidate: PlacedState?
  private var agreeing = 0

  init(_ settings: OutlierSettings?) {
    self.settings = settings?.sane
    memory = self.settings?.memory.inSeconds ?? 0
  }

  /// Nothing is known any more of where the device can be.
  mutating func forget() {
    anchor = nil
    candidate = nil
    isConfirmed = false
  }

  mutating func judge(_ timed: TimedFix, activity: Activity) -> Verdict {
    guard let settings else { return .accepted }
    let model = ReachModel(settings, activity: activity)
    guard let anchor, let seconds = anchor.seconds(until: timed), seconds <= memory else {
      forget()
      self.anchor = PlacedState(timed, model)
      return .accepted
    }
    let leg = model.leg(from: anchor, to: timed, in: seconds)
    guard let outlier = leg.outlier else {
      candidate = nil
      isConfirmed = true
      // A poorer fix moves nothing of what a better one still says.
      if leg.reach + anchor.accuracy >= model.accuracy(of: timed.fix) {
        self.anchor = PlacedState(timed, model, after: leg)
      }
      return .accepted
    }
    guard isConfirmed || model.accuracy(of: timed.fix) > anchor.accuracy else {
      self.anchor = PlacedState(timed, model)
      candidate = nil
      return .believed(BelievedJump(outlier: outlier, agreeing: 1))
    }
    return consider(timed, outlier, model)
  }

  /// Counts refused fixes that agree with each other.
  ///
  /// They may disprove what was known of the activity, and what a source says of its speed. So they are held to what
  /// anything can do, but have to go on the way they went.
  private mutating func consider(_ timed: TimedFix, _ outlier: Outlier, _ model: ReachModel) -> Verdict {
    let anything = model.knowingNothing
    var leg: ReachModel.Leg?
    if let candidate {
      leg = candidate.seconds(until: timed).map { anything.leg(from: candidate, to: timed, in: $0) }
      // Where the time between can't be told, they can't contradict each other.
      agreeing = leg?.outlier == nil ? agreeing + 1 : 1
    } else {
      agreeing = 1
    }
    if agreeing >= model.settings.agreeing {
      anchor = PlacedState(timed, model, after: agreeing > 1 ? leg : nil)
      candidate = nil
      isConfirmed = true
      return .believed(BelievedJump(outlier: outlier, agreeing: agreeing))
    }
    candidate = PlacedState(timed, anything, seenSince: agreeing > 1 ? candidate : nil, leg)
    return .refused(outlier)
  }
}
