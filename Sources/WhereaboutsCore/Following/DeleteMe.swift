// Stand-ins until the real types land with the next change: whoever lands them deletes this file.
public struct VisitTerms: Hashable, Sendable, Codable {
  public var radius = 100.0
  public init() {}
}
public struct Visit: Hashable, Sendable, Codable { public var coordinate: Fix }
struct StayDetector: Sendable {
  init(_ t: VisitTerms) {}
  mutating func take(_ f: TimedFix) -> [Visit] { [] }
  mutating func restart() {}
}
