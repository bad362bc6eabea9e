/// A signal from a source to the engine.
public enum SourceSignal: Hashable, Sendable, Codable {
  /// A position, and the rule for its age.
  case fix(Fix, age: AgeRule)
  /// The direction in which the device points.
  case heading(Heading)
  /// The device has no compass, or none that can be read: no heading can arrive.
  case headingsUnavailable(SourceProblem)
  /// The authorization changed, or became known.
  case authorization(Authorization)
  /// The satellites in the receiver's view.
  case satellites(SatellitesInView)
  /// The receiver was off or without a fix until now: later fixes do not continue the earlier ones.
  case segmentBegan
  /// The source can't deliver for now and keeps trying: no sky, no daemon yet, unplugged.
  case unavailable(SourceProblem)
  /// The source can't deliver and has given up until something outside changes.
  case failed(SourceProblem)
  /// The health of each source that this one combines, the best first. The engine sets ``SourceHealth/since``.
  case sources([SourceHealth])
  /// The number of regions that the platform can watch for ``Demand/wakeRegions``; 0 until sent. The radius is the
  /// greatest of a region in metres; `nil` where it is unknown.
  case wakeCapacity(Int, greatestRadius: Double? = nil)
  /// The platform has woken the program. The signal only asks for fixes where fences need them.
  case woke(WakeReason)
  /// A source of finite length has ended.
  case ended
}

extension SourceSignal {
  /// The rule by which the age of a fix is counted.
  public enum AgeRule: String, Hashable, Sendable, Codable {
    /// The source delivers fixes as they are made: age counts from arrival, on the monotonic clock. A wrong or stepped
    /// wall clock changes nothing.
    case sinceArrival
    /// The source may deliver a fix made earlier: age is wall time minus fix time.
    case sinceFixTime
    /// As ``sinceFixTime``, and the fix's time is certainly UTC, such as that of a phone. Earlier fixes are always
    /// late, also after a restart: they never indicate a clock that was set back or a recording that starts over. A
    /// tracker also counts fixes from before its start, since a phone may send a day's fixes at once.
    case sinceTrustedTime

    /// The greatest lead of a fix's time over the wall clock; fixes with a greater lead are refused, and are not
    /// recorded. Two clocks set by NTP and by satellites agree far better; a phone without network for days may not.
    package static let futureTolerance = Duration.seconds(10)
  }

  /// The reason why a platform has woken the program.
  public enum WakeReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// A region was entered.
    case entered
    /// A region was left.
    case left
    /// The device has moved far.
    case significantChange
    /// A visit began or ended.
    case visit
  }
}
