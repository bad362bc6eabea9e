// Stand-ins until the real types of this folder land with the next change: whoever lands them deletes this file.
import WhereaboutsGeodesy
public struct FixTerms: Hashable, Sendable, Codable {
  public var level: AccuracyLevel, distanceFilter = 0.0, elasticity = 0.0, minimumInterval = Duration.zero
  public var maximumCount: Int?, duration: Duration?, lastFixUpTo: Duration?, activity = Activity.other
  public init(
    level: AccuracyLevel, distanceFilter: Double = 0, elasticity: Double = 0,
    minimumInterval: Duration = .zero, maximumCount: Int? = nil, duration: Duration? = nil,
    lastFixUpTo: Duration? = nil, activity: Activity = .other
  ) {
    self.level = level
    self.distanceFilter = distanceFilter > 0 ? distanceFilter : 0
    self.maximumCount = maximumCount
    self.duration = duration; self.lastFixUpTo = lastFixUpTo; self.activity = activity
  }
}
struct FixFilter: Sendable {
  var t: FixTerms; var lastTold: Fix?
  init(_ t: FixTerms) { self.t = t }
  mutating func take(_ f: TimedFix) -> Bool {
    if let last = lastTold, t.distanceFilter > 0,
      last.coordinate.distance(to: f.fix.coordinate, within: 0.001) < t.distanceFilter
    {
      return false
    }
    lastTold = f.fix; return true
  }
}
public struct SignificantChangeTerms: Hashable, Sendable, Codable { public init() {} }
struct SignificantChangeFilter: Sendable {
  init(_ t: SignificantChangeTerms) {}
  mutating func take(_ f: TimedFix) -> Bool { true }
}
public struct VisitTerms: Hashable, Sendable, Codable { public var radius = 100.0; public init() {} }
public struct Visit: Hashable, Sendable, Codable { public var coordinate: Fix }
struct StayDetector: Sendable {
  init(_ t: VisitTerms) {}
  mutating func take(_ f: TimedFix) -> [Visit] { [] }
  mutating func restart() {}
}
public struct HeadingTerms: Hashable, Sendable, Codable { public var filter = 1.0; public init() {} }
struct HeadingFilter: Sendable {
  init(_ t: HeadingTerms) {}
  enum Verdict { case told, held, unusable, stillUnusable }
  mutating func take(_ f: Heading) -> Verdict { .told }
}
