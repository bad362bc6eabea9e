import Foundation
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Days of a person whose phone gives a fix seldom, with a fence around every place: wrong, missing and late events.
struct StayTrial {
  let phone: SimulatedPhone
  let days: Int

  static let radius = 100.0

  /// A fence around each place that is no other's.
  private func fences(_ life: DailyLife) -> [Fence] {
    var centres: [Coordinate] = []
    for visit in life.visits
    where !centres.contains(where: { $0.distance(to: visit.coordinate) < 2 * Self.radius }) {
      centres.append(visit.coordinate)
    }
    return centres.enumerated().compactMap { number, centre in
      (try? Area.Circle(center: centre, radius: Self.radius)).map {
        Fence(id: FenceID("place \(number)"), area: .circle($0))
      }
    }
  }

  /// The arrivals and departures of the stays with a fix; the others can't be known.
  private func crossings(_ life: DailyLife, _ fences: [Fence], _ fixes: [Fix]) -> [(
    fence: FenceID, kind: FenceEvent.Kind, time: UTCTime
  )] {
    let times = fixes.compactMap(\.time)
    func time(_ seconds: Double) -> UTCTime { life.beginning.advanced(by: .seconds(seconds)) }
    return life.visits.flatMap { visit -> [(fence: FenceID, kind: FenceEvent.Kind, time: UTCTime)] in
      let arrival = time(visit.arrival), departure = time(visit.departure)
      guard times.contains(where: { arrival <= $0 && $0 <= departure }),
        let fence = fences.first(where: { Self.isCentre(of: $0, near: visit.coordinate) })
      else { return [] }
      return [(fence.id, .enter, arrival), (fence.id, .exit, departure)].filter {
        times[0] < $0.2 && $0.2 < times[times.count - 1]
      }
    }
  }

  private static func isCentre(of fence: Fence, near place: Coordinate) -> Bool {
    if case .circle(let circle) = fence.area { circle.center.distance(to: place) < radius / 2 } else { false }
  }

  func outcome(seed: UInt64) -> DriveTrial.Outcome {
    let life = DailyLife(days: days, seed: seed)
    let fixes = phone.fixes(of: life, seed: seed), fences = fences(life)
    var registry = FenceRegistry(), watch = FenceWatch(FenceSettings(lateness: .zero)),
      records: [FenceRecord] = []
    registry.add(contentsOf: fences)
    for fix in fixes { watch.process(fix, in: registry, into: &records) }
    let events = records.compactMap { if case .event(let event) = $0 { event } else { nil } }
    return DriveTrial.Outcome(events, of: crossings(life, fences, fixes), within: 120 + 1.5 * phone.interval)
  }
}

/// Prints wrong, missing and late events of days, for phones with a fix in one to thirty minutes.
func printStays(days: Int, seed: UInt64) {
  print("4 persons, \(days) days each, fences of \(Int(StayTrial.radius)) m; seed \(seed)")
  print("interval  speeds  crossings  missed  extra  error, s: median, 95 %  decided after, s: median, 95 %")
  for interval in [60.0, 120, 300, 660, 900, 1800] {
    for statesSpeed in [false, true] {
      var phone = SimulatedPhone.sparse
      phone.interval = interval
      phone.statesSpeed = statesSpeed
      var all = DriveTrial.Outcome()
      for person in 0..<4 {
        all += StayTrial(phone: phone, days: days).outcome(seed: seed &* 100 &+ UInt64(person))
      }
      print(
        String(format: "%6.0f s  %@", interval, statesSpeed ? "yes   " : "no    "),
        String(format: "%10d %7d %6d", all.crossings, all.missed, all.extra),
        DriveTrial.Outcome.text(all.errors), "    ", DriveTrial.Outcome.text(all.delays))
    }
  }
}
