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
    /// The sides that were wrong at the end of a wake with a fix, more than 100 m off the boundary.
    var wrongSides: [String] = []
    var checkedSides = 0
    /// The longest time for which a fence was wrong while the device was more than 200 m past its boundary.
    var longestWrong = 0.0
    var longestWrongPlace = ""
    /// The enters and exits of stays, those reported, and those reported with their time inside the stated uncertainty.
    var stays = 0, reportedStays = 0, datedStays = 0
    /// The enters and exits of stays that a region can notice, and those reported.
    var noticeableStays = 0, reportedNoticeableStays = 0
    /// Those of them whose fence some region covered at the time, and those reported.
    var watchedStays = 0, reportedWatchedStays = 0
    /// The noticeable crossings of stays, with a region at the time, that were not reported.
    var missed: [String] = []
    /// The reported crossings of stays whose time is not within the stated uncertainty.
    var misdated: [String] = []
    /// The noticeable crossings of stays, without a region at the time, that were not reported.
    var missedInCrowds: [String] = []
    /// The enters and exits of stays that the same engine reports with the receiver always on.
    var staysAlwaysOn = 0
    /// The enters and exits of passes reported by the same engine with the receiver always on, and those reported here.
    var passes = 0, reportedPasses = 0
    var delays: [Double] = []
    var falseEvents: [String] = []
    var greatestCount = 0, registrations = 0
    var lostCrossings: [String] = []
    var knownCrossings = 0
    var receiverSeconds = 0.0

    var medianDelay: Double? { delays.isEmpty ? nil : delays.sorted()[delays.count / 2] }
  }

  private let track: [Coordinate]
  private let fences: [Fence]
  private let near: [Fence]
  private var random: SeededGenerator
  private let crossings: TrueCrossings
  /// The fixes of a receiver that is always on, one a second.
  private let fixes: [LocationReading]

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
    crossings = TrueCrossings(of: near, along: self.track)
    fixes = Self.noisyFixes(along: self.track, using: &random)
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

  private static func noisyFixes(
    along track: [Coordinate], using random: inout SeededGenerator
  ) -> [LocationReading] {
    track.enumerated().map { second, place in
      let distance = abs(Double.random(in: -1...1, using: &random) + .random(in: -1...1, using: &random)) * 6
      let seen =
        place.destination(azimuth: .random(in: 0..<360, using: &random), distance: distance) ?? place
      return LocationReading(
        latitude: seen.latitude, longitude: seen.longitude, time: PocketPhone.defaultEpoch + Double(second),
        horizontalAccuracy: 8)
    }
  }

  // MARK: The run

  func run(_ lateness: SimulatedWatching.Lateness, foreignCount: Int = 0) throws -> Report {
    var report = Report()
    var phone = PocketPhone(
      SimulatedWatching(lateness, foreignCount: foreignCount, seed: 1), at: track[0])
    try phone.launch()
    phone.process(.fences(.add(fences)))
    var sides: [FenceID: Bool] = [:]
    var wrongSince: [FenceID: Double] = [:]
    var watchedEdges: Set<Int> = []
    let edges = Dictionary(grouping: crossings.edges.indices) { Int(crossings.edges[$0].times.last ?? 0) }
    for (second, place) in track.enumerated() {
      let time = Double(second)
      watchedEdges.formUnion(
        (edges[second] ?? []).filter { phone.watchedFences.contains(crossings.edges[$0].fence) })
      try phone.move(to: place, at: time, fix: fixes[second])
      if phone.hasFix { update(&sides, from: phone) }
      // The first minute is in the hand of the person.
      if second > 60, phone.isDone {
        if phone.hasFix { check(sides, phone, at: place, into: &report) }
        phone.kill()
      }
      measure(sides, at: place, time: time, &wrongSince, into: &report)
    }
    phone.kill()
    summarize(phone, watchedEdges, into: &report)
    return report
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
        report.wrongSides.append(
          "\(fence.id) at \(Int(phone.now)) s, \(Int(distance)) m, \(reason),"
            + " \(phone.fixCount) fixes in \(Int(phone.age)) s")
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
      guard time - since > report.longestWrong else { continue }
      report.longestWrong = time - since
      report.longestWrongPlace = "\(fence.id) at \(Int(time)) s, \(Int(distance)) m"
    }
  }

  private func summarize(_ phone: PocketPhone, _ watched: Set<Int>, into report: inout Report) {
    report.duration = Double(track.count)
    report.launches = phone.launches
    report.launchesWithFix = phone.launchesWithFix
    report.receiverSeconds = phone.receiverSeconds
    report.greatestCount = phone.watching.greatestCount
    report.registrations = phone.watching.registrations
    report.lostCrossings = phone.watching.lostCrossings
    report.knownCrossings = phone.watching.knownCrossings
    let events = phone.events.map {
      ReportedEvent(
        event: $0.event, time: $0.event.time.secondsSince1970 - phone.epoch, reported: $0.reported)
    }
    let reported = crossings.match(events), alwaysOn = crossings.match(eventsAlwaysOn())
    for (index, edge) in crossings.edges.enumerated() {
      let found = reported[index]
      if edge.isStay {
        report.stays += 1
        if alwaysOn[index] != nil { report.staysAlwaysOn += 1 }
        if edge.isNoticeable { count(edge, found, isWatched: watched.contains(index), into: &report) }
        guard let found else { continue }
        report.reportedStays += 1
        if edge.isDated(found.event, epoch: phone.epoch) {
          report.datedStays += 1
        } else {
          report.misdated.append(
            "\(edge): reported for \(Int(found.time)) s, ±\(found.event.timeUncertainty), \(found.event.manner)"
          )
        }
      } else {
        guard alwaysOn[index] != nil else { continue }
        report.passes += 1
        guard found != nil else { continue }
        report.reportedPasses += 1
      }
      if let found { report.delays.append(max(0, found.reported - (edge.times.first ?? 0))) }
    }
    for (event, reported) in phone.events where !isTrue(event, reported: reported, epoch: phone.epoch) {
      let last = event.lastBefore.map { Int($0.secondsSince1970 - phone.epoch) } ?? -1
      let distance = fences.first { $0.id == event.fence }?.area.signedDistance(
        to: track[min(track.count - 1, Int(reported))])
      report.falseEvents.append(
        "\(event.kind) \(event.fence) \(event.manner) reported at \(reported), after the fix of \(last) s, "
          + "\(Int(distance?.metres ?? 0)) m, \(event.confidence)")
    }
  }

  /// Counts a crossing of a stay that a region can notice.
  private func count(
    _ edge: TrueCrossings.Edge, _ found: ReportedEvent?, isWatched: Bool, into report: inout Report
  ) {
    report.noticeableStays += 1
    if found != nil { report.reportedNoticeableStays += 1 }
    guard isWatched else {
      if found == nil { report.missedInCrowds.append("\(edge)") }
      return
    }
    report.watchedStays += 1
    if found == nil { report.missed.append("\(edge)") } else { report.reportedWatchedStays += 1 }
  }

  /// Returns the events of the same engine with every fix.
  private func eventsAlwaysOn() -> [ReportedEvent] {
    var engine = Engine(settings: EngineSettings(authorization: .needed(asking: nil)))
    var events: [ReportedEvent] = []
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: Moment(instant: .start, wall: nil))
    _ = engine.handle(.fences(.add(fences)), at: Moment(instant: .start, wall: nil))
    for (second, reading) in fixes.enumerated() {
      guard let fix = reading.fix else { continue }
      let now = Moment(
        instant: Instant.start.advanced(by: .seconds(second)), wall: UTCTime(secondsSince1970: reading.time))
      for case .fence(.event(let event)) in engine.handle(.signal(.fix(fix, age: .sinceFixTime)), at: now) {
        let time = event.time.secondsSince1970 - PocketPhone.defaultEpoch
        events.append(ReportedEvent(event: event, time: time, reported: Double(second)))
      }
    }
    return events
  }

  /// Whether the device was on the event's side of the fence, or within 40 m of it, since the fix before.
  private func isTrue(_ event: FenceEvent, reported: Double, epoch: Double) -> Bool {
    guard let fence = fences.first(where: { $0.id == event.fence }) else { return false }
    let first = Int(max(0, (event.lastBefore?.secondsSince1970 ?? epoch) - epoch))
    let last = min(track.count - 1, Int(reported))
    guard first <= last else { return false }
    return track[first...last].contains { place in
      let distance = fence.area.signedDistance(to: place).metres
      return event.kind == .exit ? distance > -40 : distance < 40
    }
  }
}
