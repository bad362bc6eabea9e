/// What was decided about fences besides what is told as events, and why.
public enum FenceDecision: Hashable, Sendable, Codable {
  /// It was found out for the first time on which side the device is; no crossing.
  case determined(FenceID, FenceSide, FenceEvidence)
  /// It began to look as if the device had crossed, not surely enough yet.
  case suspected(FenceID, FenceEvent.Kind, FenceEvidence)
  /// What had looked like a crossing since then was none.
  case dismissed(FenceID, FenceEvent.Kind, FenceEvidence, since: UTCTime)
  /// The device is surely across, but rests where it was: its fixes wander and it does not.
  case atRest(FenceID, FenceEvent.Kind, FenceEvidence)
  /// The device is across, and must stay so until then for it to count.
  case waiting(FenceID, FenceEvent.Kind, until: UTCTime)
  /// The device went back before it had been across for long enough.
  case tooShort(FenceID, FenceEvent.Kind, lasted: Duration, needed: Duration)
  /// It happened then, and is not among what is to be told.
  case notAskedFor(FenceID, FenceEvent.Kind, time: UTCTime)
  /// It happened then, outside the hours in which the fence tells.
  case outsideHours(FenceID, FenceEvent.Kind, time: UTCTime)
  /// A fix says too little to decide anything: its accuracy in metres at 68 %; `nil` where it states none.
  case tooCoarse(at: UTCTime, accuracy: Double?)
  /// A fix waits for the next one: it is an outlier with this probability, and one fix decides nothing then.
  case doubted(at: UTCTime, probability: Double)
  /// A fix came too late to be put in its place.
  case tooLate(at: UTCTime, by: Duration)
  /// A fix without a time can't be put in its place.
  case timeless
}

/// The numbers behind a decision about a fence.
public struct FenceEvidence: Hashable, Sendable, Codable {
  /// The time of the fix.
  public var time: UTCTime
  /// How probable it is that the device is on the side in question, in [0, 1].
  public var probability: Double
  /// How probable it has to be.
  public var needed: Double
  /// Metres from where the device probably is to the boundary, negative inside.
  public var distance: Double
  /// The standard deviation of ``distance``, in metres.
  public var deviation: Double

  /// Numbers of a moment.
  public init(time: UTCTime, probability: Double, needed: Double, distance: Double, deviation: Double) {
    self.time = time
    self.probability = probability
    self.needed = needed
    self.distance = distance
    self.deviation = deviation
  }
}
