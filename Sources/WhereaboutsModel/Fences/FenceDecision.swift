/// A decision about fences that is not reported as an event, with its reason.
public enum FenceDecision: Hashable, Sendable, Codable {
  /// The side was determined for the first time; no crossing.
  case determined(FenceID, FenceState.Side, Evidence)
  /// A crossing became likely, but is not certain yet.
  case suspected(FenceID, FenceEvent.Kind, Evidence)
  /// A suspected crossing, likely since the given time, was none.
  case dismissed(FenceID, FenceEvent.Kind, Evidence, since: UTCTime)
  /// The device seems to have crossed, but rests where it was: only its fixes wander.
  case atRest(FenceID, FenceEvent.Kind, Evidence)
  /// The device is across, and must stay there until the given time for the crossing to count.
  case waiting(FenceID, FenceEvent.Kind, until: UTCTime)
  /// The device went back before the required time had passed.
  case tooShort(FenceID, FenceEvent.Kind, lasted: Duration, needed: Duration)
  /// The event happened at the given time, but ``FenceTerms/notify`` does not contain its kind.
  case notAskedFor(FenceID, FenceEvent.Kind, time: UTCTime)
  /// The event happened at the given time, outside the active hours of the fence.
  case outsideHours(FenceID, FenceEvent.Kind, time: UTCTime)
  /// A fix is too inaccurate for any decision. Its accuracy is in metres at 68 %; `nil` if the fix states none.
  case tooCoarse(at: UTCTime, accuracy: Double?)
  /// A fix is an outlier with the given probability and waits for the next fix: one fix decides nothing then.
  case doubted(at: UTCTime, probability: Double)
  /// A fix arrived too late to be inserted at its time.
  case tooLate(at: UTCTime, by: Duration)
  /// A fix has no time and can't be ordered.
  case timeless
}

extension FenceDecision {
  /// The numbers behind a decision about a fence.
  public struct Evidence: Hashable, Sendable, Codable {
    /// The time of the fix.
    public var time: UTCTime
    /// The probability that the device is on the side in question, in [0, 1].
    public var probability: Double
    /// The required probability.
    public var needed: Double
    /// The distance from the device's estimated place to the boundary in metres, negative inside.
    public var distance: Double
    /// The standard deviation of ``distance``, in metres.
    public var deviation: Double

    /// Creates the evidence of a moment.
    public init(time: UTCTime, probability: Double, needed: Double, distance: Double, deviation: Double) {
      self.time = time
      self.probability = probability
      self.needed = needed
      self.distance = distance
      self.deviation = deviation
    }
  }
}
