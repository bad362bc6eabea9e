import Foundation
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsCoreLocation

/// A device with 5,000 fences that stays, follows a recorded track and stays, with a program that is killed after every
/// wake; compared with the true places.
struct WakeTrial {
  struct Report {
    var duration = 0.0
    var launches = 0, launchesWithFix = 0
    var wrongSides: [String] = []
    var checkedSides = 0
    /// The longest time for which a fence was wrong while the device was more than 200 m past its boundary.
    var longestWrong = 0.0
    var stays = 0, toldStays = 0, datedStays = 0
    /// The crossings of stays that were not told, or whose time is not within the stated uncertainty.
    var missed: [String] = []
    var passes = 0, toldPasses = 0
    var delays: [Double] = []
    var falseEvents: [String] = []
    var greatestCount = 0, registrations = 0
    var lostCrossings: [String] = []
    var knownCrossings = 0
    var receiverSeconds = 0.0

    var medianDelay: Double? { delays.isEmpty ? nil : delays.sorted()[delays.count / 2] }
  }

  /// A time within a fence, by the true places.
  private struct Inside {
    var fence: FenceID
    var enter: Double?
    var exit: Double?
  }

  private let track: [Coordinate]
  private let fences: [Fence]
  private let near: [Fence]
  private var random: SeededGenerator
  private var insides: [Inside] = []

  static let stay = 900

  /// - Parameters:
  ///   - track: the true places, one a second.
  ///   - count: the number of fences.
  init(_ track: [Coordinate], count: Int = 5000, seed: UInt64) throws {
    guard let first = track.first, let last = track.last else { throw CocoaError(.fileReadCorruptFile) }
    self.track =
      Array(repeating: first, count: Self.stay) + track + Array(repeating: last, count: Self.stay)
    random = SeededGenerator(seed: seed)
    fences = try Self.fences(along: track, count: count, using: &random)
    near = Self.fences(fences, near: track)
    insides = Self.insides(of: near, self.track)
  }

  private static func fences(
    along track: [Coordinate], count: Int, using random: inout SeededGenerator
  ) throws -> [Fence] {
    func circle(_ name: String, _ center: Coordinate, _ radius: Double) throws -> Fence {
      Fence(id: FenceID(name), area: .circle(try Area.Circle(center: center, radius: radius)))
    }
    var fences = [try circle("home", track[0], 150), try circle("work", track[track.count - 1], 150)]
    while fences.count < count {
      let isNear = fences.count < count / 20
      let base = isNear ? track.randomElement(using: &random) ?? track[0] : track[track.count / 2]
      let reach = isNear ? 400.0 : 25_000
      let center = base.destination(
        azimuth: .random(in: 0..<360, using: &random), distance: .random(in: 0...reach, using: &random))
      guard let center else { continue }
      let radius =
        Int.random(in: 0..<20, using: &random) == 0
        ? Double.random(in: 500...2000, using: &random) : .random(in: 40...300, using: &random)
      fences.append(try circle("fence-\(fences.count)", center, radius))
    }
    return fences
  }

  private static func fences(_ fences: [Fence], near track: [Coordinate]) -> [Fence] {
    let samples = stride(from: 0, to: track.count, by: 20).map { track[$0] }
    return fences.filter { fence in
      guard case .circle(let circle) = fence.area else { return false }
      return samples.contains { circle.center.distance(to: $0) < circle.radius + 1500 }
    }
  }

  private static func insides(of fences: [Fence], _ track: [Coordinate]) -> [Inside] {
    var all: [Inside] = []
    for fence in fences {
      var open: Inside?
      for (second, place) in track.enumerated() {
        let isInside = fence.area.contains(place)
        if isInside, open == nil { open = Inside(fence: fence.id, enter: second == 0 ? nil : Double(second)) }
        if !isInside, var ended = open {
          ended.exit = Double(second)
          all.append(ended)
          open = nil
        }
      }
      if let open { all.append(open) }
    }
    return all
  }

  // MARK: The run

  mutating func run(_ lateness: SimulatedWatching.Lateness, foreignCount: Int = 0) throws -> Report {
    var report = Report()
    var phone = PocketPhone(
      SimulatedWatching(lateness, foreignCount: foreignCount, seed: 1), at: track[0])
    try phone.launch()
    phone.process(.fences(.add(fences)))
    var sides: [FenceID: Bool] = [:]
    var wrongSince: [FenceID: Double] = [:]
    for (second, place) in track.enumerated() {
      let time = Double(second)
      let fix = noisyFix(at: place, time: phone.epoch + time)
      try phone.move(to: place, at: time, fix: fix)
      if phone.hasFix { update(&sides, from: phone) }
      // The first minute is in the hand of the person.
      if second > 60, phone.isDone {
        if phone.hasFix { check(sides, phone, at: place, into: &report) }
        phone.kill()
      }
      measure(sides, at: place, time: time, &wrongSince, into: &report)
    }
    phone.kill()
    summarize(phone, into: &report)
    return report
  }

  private mutating func noisyFix(at place: Coordinate, time: Double) -> LocationReading {
    let distance = abs(Double.random(in: -1...1, using: &random) + .random(in: -1...1, using: &random)) * 6
    let seen =
      place.destination(azimuth: .random(in: 0..<360, using: &random), distance: distance) ?? place
    return LocationReading(
      latitude: seen.latitude, longitude: seen.longitude, time: time, horizontalAccuracy: 8)
  }

  private func update(_ sides: inout [FenceID: Bool], from phone: PocketPhone) {
    for fence in near {
      guard let side = phone.side(of: fence.id), side != .unknown else { continue }
      sides[fence.id] = side == .inside
    }
  }

  /// Counts the wrong sides at the end of a wake, well off the boundaries.
  private func check(
    _ sides: [FenceID: Bool], _ phone: PocketPhone, at place: Coordinate, into report: inout Report
  ) {
    for fence in near {
      let distance = fence.area.signedDistance(to: place).metres
      guard abs(distance) > 100, let side = sides[fence.id] else { continue }
      report.checkedSides += 1
      if (distance < 0) != side {
        let reason = phone.reason.map(\.rawValue) ?? "none"
        report.wrongSides.append("\(fence.id) at \(Int(phone.now)) s, \(Int(distance)) m, \(reason)")
      }
    }
  }

  private func measure(
    _ sides: [FenceID: Bool], at place: Coordinate, time: Double, _ wrongSince: inout [FenceID: Double],
    into report: inout Report
  ) {
    for fence in near {
      guard let side = sides[fence.id] else { continue }
      let distance = fence.area.signedDistance(to: place).metres
      guard (distance < 0) != side, abs(distance) > 200 else {
        wrongSince[fence.id] = nil
        continue
      }
      let since = wrongSince[fence.id] ?? time
      wrongSince[fence.id] = since
      report.longestWrong = max(report.longestWrong, time - since)
    }
  }

  private func summarize(_ phone: PocketPhone, into report: inout Report) {
    report.duration = Double(track.count)
    report.launches = phone.launches
    report.launchesWithFix = phone.launchesWithFix
    report.receiverSeconds = phone.receiverSeconds
    report.greatestCount = phone.watching.greatestCount
    report.registrations = phone.watching.registrations
    report.lostCrossings = phone.watching.lostCrossings
    report.knownCrossings = phone.watching.knownCrossings
    for inside in insides {
      let crossings = [(FenceEvent.Kind.enter, inside.enter), (.exit, inside.exit)]
      let isStay = (inside.exit ?? .infinity) - (inside.enter ?? -.infinity) >= 300
      for case (let kind, let time?) in crossings {
        let told = phone.events.first { event, _ in
          event.fence == inside.fence && event.kind == kind
            && abs(event.time.secondsSince1970 - phone.epoch - time) < 900
        }
        guard let told else {
          if isStay { report.missed.append("\(kind) \(inside.fence) at \(Int(time)) s: not told") }
          continue
        }
        if isStay { report.toldStays += 1 } else { report.toldPasses += 1 }
        report.delays.append(max(0, told.told - time))
        guard isStay else { continue }
        if isDated(told.event, by: time, phone.epoch) {
          report.datedStays += 1
        } else {
          let off = told.event.time.secondsSince1970 - phone.epoch - time
          report.missed.append(
            "\(kind) \(inside.fence) at \(Int(time)) s: \(Int(off)) s off, ±\(told.event.timeUncertainty)")
        }
      }
    }
    for (event, told) in phone.events where !isTrue(event, told: told, epoch: phone.epoch) {
      report.falseEvents.append("\(event.kind) \(event.fence) \(event.manner) told at \(told)")
    }
  }

  /// Whether a true time is within three standard deviations of an event's, or between the fixes around it.
  private func isDated(_ event: FenceEvent, by time: Double, _ epoch: Double) -> Bool {
    let off = abs(event.time.secondsSince1970 - epoch - time)
    let isBetween =
      event.lastBefore.map { $0.secondsSince1970 - epoch <= time + 2 } ?? true
      && event.firstAfter.secondsSince1970 - epoch >= time - 2
    return off <= 3 * event.timeUncertainty + 2 || isBetween
  }

  /// Whether the device was on the event's side of the fence, or within 40 m of it, since the fix before.
  private func isTrue(_ event: FenceEvent, told: Double, epoch: Double) -> Bool {
    guard let fence = fences.first(where: { $0.id == event.fence }) else { return false }
    let first = Int(max(0, (event.lastBefore?.secondsSince1970 ?? epoch) - epoch))
    let last = min(track.count - 1, Int(told))
    guard first <= last else { return false }
    return track[first...last].contains { place in
      let distance = fence.area.signedDistance(to: place).metres
      return event.kind == .exit ? distance > -40 : distance < 40
    }
  }
}
