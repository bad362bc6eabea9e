import EngineTestSupport
import Foundation
import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine

/// A crossing at a minute of a test.
struct Crossing: Sendable {
  var minute: Double
  var device: DeviceID = "anna"
  var kind: FenceEvent.Kind
  var fence: FenceID

  /// Reads a line such as `3 anna enter home`.
  init(_ line: String) {
    let words = line.split(separator: " ").map { String($0) }
    minute = Double(words[0]) ?? .nan
    device = DeviceID(words[1])
    kind = FenceEvent.Kind(rawValue: words[2]) ?? .dwell
    fence = FenceID(words[3])
  }

  func event(_ number: UInt64) throws -> FenceEvent {
    let place = try #require(Coordinate(latitude: 48, longitude: 11)), time = utc(minute * 60)
    return FenceEvent(
      id: FenceEvent.ID(number), fence: fence, kind: kind, manner: .crossed, time: time,
      timeUncertainty: 1, lastBefore: time, firstAfter: time, place: place, confidence: 0.99,
      decidedBy: Fix(coordinate: place, time: time, source: .nmea), decided: time, pending: .zero)
  }
}

/// An alert with its progress, as stored by a server.
struct AlertRun {
  let alert: Alert
  var progress: [DeviceID: AlertProgress] = [:]
  var presence = AlertPresence()
  private(set) var count: UInt64 = 0

  init(_ alert: Alert) { self.alert = alert }

  /// Evaluates a crossing that becomes known some minutes late.
  mutating func evaluate(_ crossing: Crossing, late: Double = 0) throws -> AlertEvaluation {
    count += 1
    let key: DeviceID = alert.combinesDevices ? "" : crossing.device
    let event = try crossing.event(count)
    let result = alert.evaluate(
      AlertCrossing(event, of: crossing.device, number: count), presence: presence,
      progress: progress[key] ?? AlertProgress(of: alert), now: utc((crossing.minute + late) * 60))
    progress[key] = result.progress
    presence.apply(event, of: crossing.device)
    return result
  }
}

@Suite struct AlertTests {
  private static let home = Alert.Place(name: "home", fences: ["house", "garden"])

  private static func alert(
    _ places: [Alert.Place], _ kinds: Set<FenceEvent.Kind>, _ change: (inout Alert) throws -> Void = { _ in }
  ) rethrows -> Alert {
    var alert = Alert(name: "test", steps: [Alert.Step(places: places, kinds: kinds)])
    try change(&alert)
    return alert
  }

  private static func hours(_ text: String) throws -> ActiveHours { try #require(ActiveHours(text: text)) }

  /// Each line is a crossing and the outcome in words; `-` for none. The clock shows minutes.
  private func expect(
    _ alert: Alert, _ lines: [(String, String)], late: Double = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var run = AlertRun(alert)
    for (line, expected) in lines {
      let outcome = try run.evaluate(Crossing(line), late: late).outcome
      let text = outcome?.text { "\(Int($0.since(utc(0)) / .seconds(60)))" } ?? "-"
      #expect(text == expected, "\(line)", sourceLocation: sourceLocation)
    }
  }

  @Test func kindDeviceAndFenceMustMatch() throws {
    let alert = Self.alert([Alert.Place("house")], [.enter]) { $0.devices = ["anna"] }
    try expect(
      alert,
      [
        ("0 anna enter house", "notified"), ("1 anna exit house", "-"), ("2 ben enter house", "-"),
        ("3 anna enter shop", "-"), ("4 anna dwell house", "-"), ("5 anna enter house", "notified"),
      ])
  }

  @Test func groupIsOnePlace() throws {
    try expect(
      Self.alert([Self.home], [.enter, .exit]),
      [
        ("0 anna enter garden", "notified"), ("1 anna enter house", "home was and is occupied"),
        ("2 anna exit garden", "home was and is occupied"), ("3 ben enter house", "notified"),
        ("4 anna exit house", "notified"), ("5 anna exit shop", "-"),
        // A repeated event after a gap does not count as another fence.
        ("6 anna enter house", "notified"), ("7 anna enter house", "notified"),
      ])
  }

  @Test func devicesTogetherAreOne() throws {
    let alert = Self.alert([Self.home], [.enter, .exit]) { $0.combinesDevices = true }
    try expect(
      alert,
      [
        ("0 anna enter house", "notified"), ("1 ben enter garden", "home was and is occupied"),
        ("2 anna exit house", "home was and is occupied"), ("3 ben exit garden", "notified"),
      ])
    // Other devices do not count.
    let two = Self.alert([Self.home], [.exit]) {
      $0.combinesDevices = true
      $0.devices = ["anna", "ben"]
    }
    try expect(
      two,
      [
        ("0 cat enter house", "-"), ("1 anna enter house", "-"), ("2 anna exit house", "notified"),
      ])
  }

  /// The letter with an accent is one character in the first name and two in the second.
  @Test func devicesWithNamesThatLookAlikeAreApart() throws {
    let first = "ren\u{E9}e", second = "rene\u{301}e"
    // The presence of each device is its own.
    try expect(
      Self.alert([Self.home], [.exit]),
      [
        ("0 \(first) enter house", "-"), ("1 \(second) enter garden", "-"),
        ("2 \(second) exit garden", "notified"),
      ])
    let alert = Self.alert([Alert.Place("house")], [.enter]) {
      $0.devices = [DeviceID(first)]
      $0.coolDown = .seconds(600)
    }
    try expect(alert, [("0 \(second) enter house", "-"), ("1 \(first) enter house", "notified")])
    // A revocation of the other device's crossing with the same id ends no cool-down.
    var run = AlertRun(alert)
    let notified = try run.evaluate(Crossing("0 \(first) enter house")).progress
    var revised = notified
    revised.revise(FenceEvent.ID(1), of: DeviceID(second), to: nil)
    #expect(revised == notified)
    revised.revise(FenceEvent.ID(1), of: DeviceID(first), to: nil)
    #expect(revised != notified)
  }

  private static let schoolRun: Alert = {
    var alert = Alert(
      name: "school",
      steps: [
        Alert.Step(places: [Alert.Place("house")], kinds: [.exit]),
        Alert.Step(places: [Alert.Place("bus")], kinds: [.enter], within: .seconds(600)),
        Alert.Step(places: [Alert.Place("school")], kinds: [.enter], within: .seconds(1800)),
      ])
    alert.devices = nil
    return alert
  }()

  @Test func sequenceNeedsItsOrderAndItsTimes() throws {
    try expect(
      Self.schoolRun,
      [
        ("0 anna enter school", "-"),
        ("1 anna exit house", "step 1 of 3 reached; the next one must follow until 11"),
        ("2 anna enter school", "-"),
        ("11 anna enter bus", "step 2 of 3 reached; the next one must follow until 41"),
        // Each device has its own sequence.
        ("12 ben enter school", "-"), ("20 anna enter shop", "-"), ("41 anna enter school", "notified"),
        // The sequence starts again.
        ("42 anna enter school", "-"),
        ("50 anna exit house", "step 1 of 3 reached; the next one must follow until 60"),
        ("61 anna enter bus", "step 2 came 60 s too late"),
      ])
  }

  @Test func laterStartDoesNotBreakAnEarlierOne() throws {
    try expect(
      Self.schoolRun,
      [
        ("0 anna exit house", "step 1 of 3 reached; the next one must follow until 10"),
        ("5 anna enter bus", "step 2 of 3 reached; the next one must follow until 35"),
        ("6 anna exit house", "step 1 of 3 reached; the next one must follow until 16"),
        ("20 anna enter school", "notified"),
      ])
  }

  @Test func sequenceOfDevicesTogether() throws {
    var alert = Self.schoolRun
    alert.combinesDevices = true
    var run = AlertRun(alert)
    _ = try run.evaluate(Crossing("0 anna exit house"))
    _ = try run.evaluate(Crossing("1 ben enter bus"))
    let result = try run.evaluate(Crossing("2 cat enter school"))
    #expect(result.outcome == .notified(notBefore: nil))
    #expect(result.earlier.map(\.device) == ["anna", "ben"] && result.earlier.map(\.number) == [1, 2])
  }

  @Test func revisionMovesOrRemovesAStep() throws {
    var run = AlertRun(Self.schoolRun)
    _ = try run.evaluate(Crossing("0 anna exit house"))
    run.progress["anna"]?.revise(FenceEvent.ID(1), of: "anna", to: try Crossing("8 anna exit house").event(1))
    #expect(
      try run.evaluate(Crossing("15 anna enter bus")).outcome
        == .reached(step: 2, of: 3, until: utc(45 * 60)))
    // An event of another device with the same number.
    run.progress["anna"]?.revise(FenceEvent.ID(1), of: "ben", to: nil)
    #expect(run.progress["anna"]?.isEmpty == false)
    run.progress["anna"]?.revise(FenceEvent.ID(1), of: "anna", to: nil)
    #expect(run.progress["anna"]?.isEmpty == true)
  }

  @Test func revokedNotificationCausesNoCoolDown() throws {
    var run = AlertRun(Self.alert([Alert.Place("house")], [.exit]) { $0.coolDown = .seconds(900) })
    #expect(try run.evaluate(Crossing("0 anna exit house")).outcome?.isNotified == true)
    #expect(try run.evaluate(Crossing("2 anna exit house")).outcome?.isNotified == false)
    run.progress["anna"]?.revise(FenceEvent.ID(1), of: "anna", to: nil)
    #expect(try run.evaluate(Crossing("4 anna exit house")).outcome?.isNotified == true)
  }

  @Test func revokedLastStepRestoresTheSequence() throws {
    var run = AlertRun(Self.schoolRun)
    for line in ["0 anna exit house", "1 anna enter bus", "2 anna enter school"] {
      _ = try run.evaluate(Crossing(line))
    }
    run.progress["anna"]?.revise(FenceEvent.ID(3), of: "anna", to: nil)
    let again = try run.evaluate(Crossing("4 anna enter school"))
    #expect(again.outcome?.isNotified == true && again.earlier.map(\.number) == [1, 2])
    // Steps that did not happen either are not restored.
    run.progress["anna"]?.revise(FenceEvent.ID(1), of: "anna", to: nil)
    run.progress["anna"]?.revise(FenceEvent.ID(4), of: "anna", to: nil)
    #expect(try run.evaluate(Crossing("5 anna enter school")).outcome == nil)
  }

  @Test func erasedCrossingIsForgottenWithWhatDependsOnIt() throws {
    var alert = Self.schoolRun
    alert.combinesDevices = true
    var run = AlertRun(alert)
    _ = try run.evaluate(Crossing("0 anna exit house"))
    _ = try run.evaluate(Crossing("1 ben enter bus"))
    let known = run.progress[""]
    run.progress[""]?.forget { $0.device == "cat" }
    #expect(run.progress[""] == known)
    run.progress[""]?.forget { $0.device == "ben" }
    #expect(try run.evaluate(Crossing("2 cat enter school")).outcome == nil)
    for line in ["3 ben exit bus", "4 cat enter bus"] { _ = try run.evaluate(Crossing(line)) }
    let result = try run.evaluate(Crossing("5 cat enter school"))
    #expect(result.outcome?.isNotified == true && result.earlier.map(\.number) == [1, 5])
    // A revocation of the last step does not bring the erased ones back.
    run.progress[""]?.forget { $0.device == "anna" }
    run.progress[""]?.revise(FenceEvent.ID(6), of: "cat", to: nil)
    #expect(run.progress[""]?.isEmpty == true)
  }

  /// An erased crossing has happened.
  @Test func erasedLastStepDoesNotRestoreTheSequence() throws {
    var alert = Self.schoolRun
    alert.combinesDevices = true
    var run = AlertRun(alert)
    for line in ["0 anna exit house", "1 anna enter bus", "2 ben enter school"] {
      _ = try run.evaluate(Crossing(line))
    }
    run.progress[""]?.forget { $0.device == "ben" }
    #expect(run.progress[""]?.isEmpty == true)
  }

  @Test func timeOfAnErasedCrossingIsForgotten() throws {
    let alert = Self.alert([Alert.Place("house")], [.exit]) {
      $0.coolDown = .seconds(900)
      $0.combinesDevices = true
    }
    var run = AlertRun(alert)
    for line in ["0 anna exit house", "20 ben exit house"] {
      #expect(try run.evaluate(Crossing(line)).outcome?.isNotified == true)
    }
    run.progress[""]?.forget { $0.device == "anna" }
    let text = String(decoding: try JSONEncoder().encode(run.progress[""]), as: UTF8.self)
    #expect(!text.contains("anna") && !text.contains("\(utc(0).nanosecondsSince1970)"), "\(text)")
    #expect(try run.evaluate(Crossing("21 ben exit house")).outcome?.isNotified == false)
    run.progress[""]?.forget { $0.device == "ben" }
    #expect(run.progress[""]?.isEmpty == true)
  }

  @Test func coolDownCountsBetweenCrossings() throws {
    let alert = Self.alert([Alert.Place("house")], [.enter]) { $0.coolDown = .seconds(900) }
    try expect(
      alert,
      [
        ("0 anna enter house", "notified"), ("14 anna enter house", "cool-down until 15"),
        ("14.5 ben enter house", "notified"), ("15 anna enter house", "notified"),
        // An event that becomes known out of order.
        ("10 anna enter house", "cool-down until 30"),
      ])
  }

  @Test func lateCrossingIsNotifiedOutsideTheCoolDown() throws {
    // Devices together send their crossings in any order.
    let together = Self.alert([Alert.Place("house")], [.exit]) { $0.combinesDevices = true }
    try expect(together, [("60 anna exit house", "notified"), ("10 ben exit house", "notified")])
    let alert = Self.alert([Alert.Place("house")], [.enter]) { $0.coolDown = .seconds(900) }
    try expect(
      alert,
      [
        ("60 anna enter house", "notified"), ("50 anna enter house", "cool-down until 75"),
        ("45 anna enter house", "notified"),
        // The later one still counts.
        ("70 anna enter house", "cool-down until 75"), ("75 anna enter house", "notified"),
      ])
  }

  /// After a later crossing of anna, ben's phone sends those of a tunnel.
  @Test func lateCrossingsAreCooledDownAmongThemselves() throws {
    let alert = Self.alert([Alert.Place("house")], [.exit]) {
      $0.coolDown = .seconds(900)
      $0.combinesDevices = true
    }
    try expect(
      alert,
      [
        ("10 anna exit house", "notified"), ("60 anna exit house", "notified"),
        ("20 ben exit house", "cool-down until 25"), ("30 ben exit house", "notified"),
        ("40 ben exit house", "cool-down until 45"), ("46 cem exit house", "cool-down until 75"),
        ("45 cem exit house", "notified"),
      ])
    var run = AlertRun(alert)
    for line in ["60 anna exit house", "30 ben exit house"] {
      #expect(try run.evaluate(Crossing(line)).outcome?.isNotified == true)
    }
    #expect(try run.evaluate(Crossing("31 ben exit house")).outcome?.isNotified == false)
    // A crossing that did not happen cools nothing down.
    run.progress[""]?.revise(FenceEvent.ID(2), of: "ben", to: nil)
    #expect(try run.evaluate(Crossing("31 ben exit house")).outcome?.isNotified == true)
  }

  @Test func hoursAreThoseOfTheCrossing() throws {
    // The test begins at Saturday 12:00 UTC.
    let alert = try Self.alert([Alert.Place("house")], [.enter]) {
      $0.hours = try Self.hours("Sa 12:00-13:00")
    }
    try expect(
      alert,
      [("59 anna enter house", "notified"), ("60 anna enter house", "outside the hours of the alert")],
      late: 30)
  }

  @Test func quietHoursHoldOrDrop() throws {
    let hold = try Self.alert([Alert.Place("house")], [.enter]) {
      $0.quietHours = try Self.hours("12:30-12:45; 12:45-13:00")
    }
    try expect(
      hold,
      [
        ("0 anna enter house", "notified"), ("35 anna enter house", "quiet hours: notified at 60"),
        ("60 anna enter house", "notified"),
      ])
    var drop = hold
    drop.holdsInQuietHours = false
    drop.coolDown = Duration.seconds(3600)
    // A dropped event starts no cool-down.
    try expect(drop, [("35 anna enter house", "quiet hours until 60"), ("60 anna enter house", "notified")])
    // Quiet hours apply to the current time, not to the time of the crossing.
    try expect(hold, [("25 anna enter house", "quiet hours: notified at 60")], late: 10)
    let always = try Self.alert([Alert.Place("house")], [.enter]) { $0.quietHours = try Self.hours("24/7") }
    try expect(always, [("0 anna enter house", "quiet hours without an end")])
  }

  @Test func oldCrossingIsNotNotified() throws {
    let alert = Self.alert([Alert.Place("house")], [.enter]) { $0.maximumAge = .seconds(3600) }
    try expect(alert, [("0 anna enter house", "notified")], late: 60)
    try expect(alert, [("0 anna enter house", "known only after 61 min")], late: 61)
  }

  @Test func progressOfAnotherFormIsRefused() throws {
    var changed = Self.schoolRun
    changed.steps[1].places = [Alert.Place("tram")]
    let progress = AlertProgress(of: Self.schoolRun)
    #expect(progress.fits(Self.schoolRun) && !progress.fits(changed))
    changed = Self.schoolRun
    changed.coolDown = .seconds(5)
    changed.steps[1].within = .seconds(5)
    #expect(progress.fits(changed))
  }

  @Test func sideFromBeforeTheFirstCrossingCounts() {
    var presence = AlertPresence()
    #expect(presence.unknown(["house", "garden"], of: "anna") == ["house", "garden"])
    presence.learn("house", of: "anna", isInside: false)
    presence.learn("garden", of: "anna", isInside: true)
    #expect(presence.unknown(["house", "garden"], of: "anna").isEmpty)
    #expect(presence.isOccupied(Self.home, by: nil, without: ("house", "anna")))
    #expect(!presence.isOccupied(Self.home, by: nil, without: ("garden", "anna")))
    // A fence that was removed may come back elsewhere.
    presence.retainFences { $0 != "garden" }
    #expect(presence.unknown(["house", "garden"], of: "anna") == ["garden"])
    #expect(!presence.isOccupied(Self.home, by: nil, without: ("house", "anna")))
  }

  @Test func revertedAndRemovedFencesAreLeft() throws {
    var presence = AlertPresence()
    let enter = try Crossing("0 anna enter house").event(1)
    presence.apply(enter, of: "anna")
    #expect(presence.isOccupied(Self.home, by: nil, without: ("shop", "anna")))
    #expect(!presence.isOccupied(Self.home, by: ["ben"], without: ("shop", "anna")))
    presence.revert(enter, of: "anna")
    #expect(!presence.isOccupied(Self.home, by: nil, without: ("shop", "anna")))
    presence.apply(enter, of: "anna")
    presence.retainFences { $0 != "house" }
    #expect(
      presence == AlertPresence() || !presence.isOccupied(Self.home, by: nil, without: ("shop", "anna")))
  }
}

/// Compares sequences with their definition on random crossings: crossings of all steps, in order, each within its time
/// limit.
@Suite struct AlertSequenceTests {
  @Test(arguments: (0..<200).map { UInt64($0) }) func sequenceIsFoundExactlyIfThereIsOne(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let fences: [FenceID] = ["a", "b", "c"]
    let steps = (0..<Int.random(in: 1...4, using: &random)).map { index in
      Alert.Step(
        places: [Alert.Place(fences.randomElement(using: &random) ?? "a")],
        kinds: Bool.random(using: &random) ? [.enter] : [.enter, .exit],
        within: index == 0 || Bool.random(using: &random)
          ? nil : .seconds(Double.random(in: 60...600, using: &random)))
    }
    var run = AlertRun(Alert(name: "random", steps: steps))
    var known: [Crossing] = []
    var minute = 0.0
    for _ in 0..<60 {
      minute += Double.random(in: 0...6, using: &random)
      var crossing = Crossing("0 anna enter a")
      crossing.minute = minute
      crossing.kind = Bool.random(using: &random) ? .enter : .exit
      crossing.fence = fences.randomElement(using: &random) ?? "a"
      // A restart between any two crossings changes nothing.
      if Int.random(in: 0..<5, using: &random) == 0, let stored = run.progress["anna"] {
        run.progress["anna"] = try JSONDecoder().decode(
          AlertProgress.self, from: JSONEncoder().encode(stored))
      }
      let outcome = try run.evaluate(crossing).outcome
      known.append(crossing)
      let isMet = Self.isMet(steps, known)
      #expect((outcome?.isNotified ?? false) == isMet, "seed \(seed), crossing \(known.count)")
      if isMet { known = [] }
    }
  }

  /// Returns whether the last crossing completes the steps.
  private static func isMet(_ steps: [Alert.Step], _ known: [Crossing]) -> Bool {
    func matches(_ step: Alert.Step, _ crossing: Crossing) -> Bool {
      step.kinds.contains(crossing.kind) && step.places[0].fences.contains(crossing.fence)
    }
    func isMet(_ step: Int, by index: Int) -> Bool {
      guard matches(steps[step], known[index]) else { return false }
      guard step > 0 else { return true }
      return (0..<index).contains { before in
        let wait = Duration.seconds((known[index].minute - known[before].minute) * 60)
        return wait <= steps[step].within ?? .seconds(1e9) && isMet(step - 1, by: before)
      }
    }
    return isMet(steps.count - 1, by: known.count - 1)
  }
}
