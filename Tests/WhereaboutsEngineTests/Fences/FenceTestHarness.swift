import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// A device that moves past a fence, and the events of its monitoring.
struct FenceTestHarness {
  /// The centre of ``fence(_:radius:terms:)``.
  static let home = Coordinate(latitude: 48.2, longitude: 16.37)!
  /// Monday, 2026-03-02, 08:00 UTC.
  static let start = UTCTime(nanosecondsSince1970: 1_772_438_400_000_000_000)

  static func fence(
    _ id: FenceID = "home", at center: Coordinate = home, radius: Double = 50,
    terms: FenceTerms = FenceTerms()
  ) -> Fence {
    Fence(id: id, area: circle(at: center, radius: radius), terms: terms)
  }

  static func circle(at center: Coordinate, radius: Double) -> Area {
    guard let circle = try? Area.Circle(center: center, radius: radius) else {
      preconditionFailure("\(radius) m is no radius")
    }
    return .circle(circle)
  }

  /// Makes a track builder that starts a number of metres west of the centre.
  static func track(west metres: Double) -> TrackBuilder {
    TrackBuilder(from: home.destination(azimuth: 270, distance: metres)!, at: start)
  }

  var registry = FenceRegistry()
  var watch: FenceWatch
  var records: [FenceRecord] = []

  init(_ fences: [Fence], settings: FenceSettings = FenceSettings(lateness: .zero)) {
    watch = FenceWatch(settings)
    registry.add(contentsOf: fences)
  }

  init(_ terms: FenceTerms = FenceTerms(), settings: FenceSettings = FenceSettings(lateness: .zero)) {
    self.init([Self.fence(terms: terms)], settings: settings)
  }

  mutating func process(_ fixes: [Fix]) {
    for fix in fixes { watch.process(fix, in: registry, into: &records) }
  }

  mutating func process(
    _ track: TrackBuilder, every seconds: Int = 1, noise: ReceiverNoise = .goodReceiver, seed: UInt64 = 1
  ) {
    process(track.fixes(every: .seconds(seconds), noise: noise, seed: seed))
  }

  mutating func advanceTime(to time: UTCTime) { watch.advance(to: time, in: registry, into: &records) }
  mutating func settle() { watch.settle(in: registry, into: &records) }

  /// The seconds since the start.
  static func second(_ time: UTCTime) -> Double { time.seconds(since: start) }

  var events: [FenceEvent] {
    records.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  var kinds: [FenceEvent.Kind] { events.map(\.kind) }

  var decisions: [FenceDecision] {
    records.compactMap { if case .decided(let decision) = $0 { decision } else { nil } }
  }

  var state: FenceState { watch.state(of: "home", in: registry) }
}
