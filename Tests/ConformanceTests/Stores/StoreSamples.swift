import EngineTestSupport
import WhereaboutsEngine
import Whereabouts
import WhereaboutsTesting

/// A used fix, at a number of seconds after the start of a test.
func usedFix(_ seconds: Double) -> LoggedFix {
  LoggedFix(fix(5, at: seconds, north: seconds), seen: utc(seconds))
}

/// An event of a fence, as a numbered record.
func numberedRecord(_ number: UInt64, event id: UInt64, of fence: FenceID = "home") -> NumberedFenceRecord {
  NumberedFenceRecord(number: number, record: .event(event(id, of: fence)))
}

/// The same, for scopes in which `note` has another meaning.
func makeNumberedRecord(_ number: UInt64, event id: UInt64, of fence: FenceID) -> NumberedFenceRecord {
  numberedRecord(number, event: id, of: fence)
}

/// An event of a fence.
func event(_ id: UInt64, of fence: FenceID = "home") -> FenceEvent {
  let time = utc(Double(id) * 10)
  let decidedBy = fix(4.25, at: Double(id) * 10 + 3, north: Double(id))
  return FenceEvent(
    id: FenceEvent.ID(id), fence: fence, kind: .enter, manner: .crossed, time: time, timeUncertainty: 1.75,
    lastBefore: nil, firstAfter: time, place: decidedBy.coordinate, confidence: 0.975, decidedBy: decidedBy,
    decided: utc(Double(id) * 10 + 3), pending: .seconds(3))
}

/// A snapshot of an engine with fences after a number of fixes.
func engineSnapshot(_ count: Int) -> EngineSnapshot {
  var watch = FenceWatch(), records: [FenceRecord] = []
  let registry = registryWithHome
  for second in 0..<count {
    watch.process(fix(4, at: Double(second), north: Double(second) * 10 - 300), in: registry, into: &records)
  }
  return EngineSnapshot(watch: watch)
}

private let registryWithHome: FenceRegistry = {
  var registry = FenceRegistry()
  registry.update(fence("home"))
  return registry
}()

/// A trip of a length in metres.
func trip(_ id: TripID, distance: Double, ended: Double? = nil) -> Trip {
  var totals = TrackTotals()
  totals.distance = distance
  totals.ascent = 0.1 + 0.2
  return Trip(
    id: id, totals: totals, began: utc(0), settledTo: utc(distance), ended: ended.map(utc), lateFixes: 2,
    duplicates: 1)
}

/// A gap of a trip that ended a number of seconds after the start of a test.
func gap(of trip: TripID, end seconds: Double, counted: Double = 12.5) -> Trip.Gap {
  Trip.Gap(
    trip: trip, end: utc(seconds),
    gap: TrackPoint.Gap(duration: 90.25, geodesic: 1.0 / 3, counted: counted, uncertainty: 4))
}

/// A usage of the receiver.
func receiverUsage(_ number: UInt64, began seconds: Double?, for length: Double, isOpen: Bool = false)
  -> ReceiverUsage
{
  ReceiverUsage(
    number: number, began: seconds.map(utc), duration: .seconds(length),
    demand: .continuous(
      Demand.Continuous(accuracy: 1.0 / 3, distanceFilter: 50, interval: .seconds(15), activity: .walk)),
    users: [.subscriptions, .fences], preset: "balanced", reason: .walking, isOpen: isOpen)
}

/// A fix with a value in every field.
func fullFix() -> Fix {
  var fix = fix(1.0 / 3, at: 12.000_000_001, north: 1.0 / 7, speed: 0.1)
  fix.verticalAccuracy = 1e-300
  fix.isAccuracyEstimated = true
  fix.heightAboveGeoid = -430.123_456_789_012_3
  fix.heightAboveEllipsoid = 8_848.86
  fix.speedAccuracy = .leastNonzeroMagnitude
  fix.course = 359.999_999_999_999_94
  fix.courseAccuracy = 0.3
  fix.climb = -2.0 / 3
  fix.mode = .threeD
  fix.solution = .satellitesAndDeadReckoning
  fix.satellitesUsed = 0
  fix.satellitesInView = 255
  fix.horizontalDilution = 0.1
  fix.verticalDilution = .greatestFiniteMagnitude
  fix.positionDilution = 1.0 / 3
  fix.floor = .min
  fix.activity = .boating
  fix.isSimulated = false
  fix.source = .phone
  return fix
}
