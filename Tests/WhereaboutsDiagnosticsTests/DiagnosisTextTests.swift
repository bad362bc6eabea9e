import Testing
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsDiagnostics

/// Possible findings of a diagnosis, and their texts.
@Suite struct DiagnosisTextTests {
  private static let sky = SourceFinding.Satellites(seen: 14, used: 9, strongest: 47)

  private static let gpsd = SourceFinding(
    name: "gpsd", state: .delivers, facts: ["gpsd 3.22, with /dev/ttyACM0 (u-blox)"], satellites: sky,
    delivery: .init(mode: .threeD, accuracy: 4, timeToFirstFix: .milliseconds(800), fixCount: 3))

  private static let indoors = SourceFinding(
    name: "nmea:/dev/ttyUSB0", state: .noFix, satellites: .init(seen: 5, used: 0, strongest: 21),
    problem: SourceProblem(.noPosition, message: "find a position: the receiver at /dev/ttyUSB0 has no fix"),
    remedy: SourceFinding.Satellites(seen: 5, used: 0, strongest: 21).advice)

  private static let refused = SourceFinding(
    name: "nmea:/dev/ttyACM0", state: .denied,
    remedy:
      "/dev/ttyACM0 belongs to the group dialout. Run `sudo usermod -aG dialout alice`, then log in again.")

  private static let absent = SourceFinding(
    name: "geoclue", state: .absent,
    problem: SourceProblem(.unreachable, message: "reach the location service: it is not installed"))

  private func text(_ sources: [SourceFinding], machine: [MachineFinding] = []) -> [String] {
    DiagnosisText(diagnosis: Diagnosis(sources: sources, machine: machine)).lines
  }

  @Test func deliveringSourceIsDescribed() {
    #expect(
      text(
        [Self.gpsd], machine: [MachineFinding(name: "clock", state: .good, text: "2026-06-01 12:00:00 UTC")])
        == [
          "✓ gpsd delivers fixes, with height, to 4.0 m, the first after 0.80 s",
          "    gpsd 3.22, with /dev/ttyACM0 (u-blox)",
          "    satellites: 14 in view, 9 used, the strongest at 47 dB-Hz",
          "✓ clock: 2026-06-01 12:00:00 UTC", "",
          "There are fixes from gpsd.", "Next: `whereabouts now --source gpsd`",
        ])
  }

  @Test func sourceOfUnknownAccuracyIsNotRecommendedForNow() {
    let rmcOnly = SourceFinding(
      name: "nmea:/dev/ttyUSB0", state: .delivers,
      delivery: .init(mode: .twoD, accuracy: nil, timeToFirstFix: .milliseconds(800), fixCount: 3))
    #expect(
      text([rmcOnly]) == [
        "✓ nmea:/dev/ttyUSB0 delivers fixes, without height, of unknown accuracy, the first after 0.80 s", "",
        "There are fixes from nmea:/dev/ttyUSB0.", "Next: `whereabouts watch --source nmea:/dev/ttyUSB0`",
      ])
    #expect(Diagnosis(sources: [rmcOnly, Self.gpsd]).nextStep == "`whereabouts now --source gpsd`")
  }

  @Test func sourceWithoutFixReportsReasonAndRemedy() {
    #expect(
      text([Self.absent, Self.indoors]) == [
        "✗ geoclue was not found", "    could not reach the location service: it is not installed",
        "! nmea:/dev/ttyUSB0 works, and has no fix",
        "    satellites: 5 in view, 0 used, the strongest at 21 dB-Hz",
        "    could not find a position: the receiver at /dev/ttyUSB0 has no fix",
        "    -> Take it outside, or put its antenna at a window: the signals are too weak.", "",
        "There is a source that works, and no fix yet.",
        "Next: Take it outside, or put its antenna at a window: the signals are too weak.",
      ])
  }

  @Test func linesFitColumnWidth() {
    let lines = DiagnosisText(diagnosis: Diagnosis(sources: [Self.refused]), columns: 60).lines
    #expect(lines.allSatisfy { $0.count <= 60 } && lines.count > 5, "\(lines)")
  }

  static let verdicts: [([SourceFinding], Diagnosis.Verdict)] = [
    ([refused, indoors, gpsd], .delivers), ([absent, refused, indoors], .noFix),
    ([absent, refused], .notPermitted), ([absent], .absent), ([], .absent),
    ([absent, SourceFinding(name: "gpsd", state: .silent)], .silent),
    ([absent, SourceFinding(name: "nmea:/dev/ttyACM0", state: .inUse)], .inUse),
    ([absent, SourceFinding(name: "nmea:/tmp", state: .unusable)], .nothing),
    ([deniedService, SourceFinding(name: "nmea:/dev/ttyACM0", state: .inUse)], .inUse),
    ([SourceFinding(name: "gpsd", state: .silent), deniedService], .silent),
    ([deniedService, refused], .notPermitted),
    ([deniedService, SourceFinding(name: "nmea:/dev/ttyUSB0", state: .notUnderstood)], .nothing),
    ([SourceFinding(name: "gpsd", state: .absent), deniedService], .notPermitted),
  ]

  private static let deniedService = SourceFinding(name: "geoclue", state: .denied, remedy: "Start an agent.")

  @Test func receiverPrecedesALocationServiceThatDeniesAccess() {
    let silent = SourceFinding(name: "nmea:/dev/ttyACM0", state: .silent, remedy: "Check its cable.")
    #expect(Diagnosis(sources: [Self.deniedService, silent]).nextStep == "Check its cable.")
    #expect(Diagnosis(sources: [Self.deniedService, Self.refused]).nextStep == Self.refused.remedy)
    let absent = SourceFinding(name: "gpsd", state: .absent, remedy: "Start gpsd.")
    #expect(Diagnosis(sources: [absent, Self.deniedService]).nextStep == "Start an agent.")
  }

  private func served(_ state: SourceHealth.State, _ problem: SourceProblem? = nil) -> Diagnosis {
    var diagnosis = Diagnosis(sources: [Self.absent])
    diagnosis.add(
      served: [
        SourceHealth(
          name: "nmea:/dev/ttyACM0", state: state, since: Moment(instant: .start, wall: nil), problem: problem
        )
      ])
    return diagnosis
  }

  @Test func sourceOfAServerIsASource() {
    let delivering = served(.ok)
    #expect(delivering.verdict == .delivers && delivering.nextStep == "`whereabouts now`")
    let lines = DiagnosisText(diagnosis: delivering).lines
    #expect(
      lines.starts(with: ["✓ whereabouts serve delivers fixes", "    its source nmea:/dev/ttyACM0: ok"]),
      "\(lines)")
    let gone = SourceProblem(.noReceiver, message: "read it: it is unplugged", remedy: "Plug it in again.")
    #expect(served(.failed, gone).verdict == .absent && served(.failed, gone).nextStep == "Plug it in again.")
    #expect(served(.noFix).verdict == .noFix && served(.connecting).verdict == .noFix)
    var without = Diagnosis(sources: [Self.absent])
    without.add(served: [])
    #expect(without.sources == [Self.absent])
  }

  @Test(arguments: verdicts.indices) func verdictIsThatOfBestSource(index: Int) {
    let (sources, verdict) = Self.verdicts[index]
    let diagnosis = Diagnosis(sources: sources)
    #expect(diagnosis.verdict == verdict)
  }

  @Test func positionIsReportedOnlyOnRequest() throws {
    var result = ListenResult()
    let fix = Fix.test(latitude: 47.25, longitude: 8.5, accuracy: 4, time: nil)
    result.process(.fix(fix, age: .sinceArrival), after: .seconds(1), wall: UTCTime(nanosecondsSince1970: 0))
    for isShown in [true, false] {
      let finding = SourceFinding("gpsd", result, listeningFor: .seconds(5), showsPosition: isShown)
      let diagnosis = Diagnosis(sources: [finding])
      let text = DiagnosisText(diagnosis: diagnosis).lines.joined()
      let json = String(decoding: DiagnosisJSON(diagnosis: diagnosis).object.bytes, as: UTF8.self)
      #expect(text.contains("47.25") == isShown && json.contains("\"lat\":47.25,\"lon\":") == isShown)
    }
  }

  @Test func jsonContainsAllFindings() {
    let json = DiagnosisJSON(diagnosis: Diagnosis(sources: [Self.indoors])).object.bytes
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"verdict":"no fix","sources":[{"source":"nmea:/dev/ttyUSB0","state":"no fix","seen":5,"#
        + #""used":0,"strongestSignal":21,"hasHeading":false,"code":"no-position","#
        + #""problem":"could not find a position: the receiver at /dev/ttyUSB0 has no fix","#
        + #""remedy":"Take it outside, or put its antenna at a window: the signals are too weak.","facts":[]}],"#
        + #""machine":[],"next":"Take it outside, or put its antenna at a window: the signals are too weak."}"#
    )
  }
}

@Suite struct ListenResultTests {
  private static let now = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
  private static let fix = Fix.test(latitude: 1, longitude: 2, accuracy: 3, time: now)

  private func finding(_ signals: [SourceSignal], name: String = "gpsd") -> SourceFinding {
    var result = ListenResult()
    for signal in signals { result.process(signal, after: .seconds(1), wall: Self.now) }
    return SourceFinding(name, result, listeningFor: .seconds(5))
  }

  private static func problemSignal(_ code: SourceProblem.Code) -> SourceSignal {
    .unavailable(SourceProblem(code, message: "do it", remedy: "Do it."))
  }

  static let cases: [([SourceSignal], SourceFinding.State)] = [
    ([], .silent), ([.fix(fix, age: .sinceArrival)], .delivers),
    ([problemSignal(.noPosition), .fix(fix, age: .sinceArrival)], .delivers),
    ([.fix(fix, age: .sinceArrival), problemSignal(.noPosition)], .noFix),
    ([problemSignal(.noPosition)], .noFix),
    ([problemSignal(.unreachable)], .absent), ([problemSignal(.noReceiver)], .absent),
    ([problemSignal(.silent)], .silent),
    ([problemSignal(.inUse)], .inUse), ([problemSignal(.unusable)], .unusable),
    ([problemSignal(.notUnderstood)], .notUnderstood),
    ([.authorization(Authorization(.denied))], .denied),
    ([.satellites(SatellitesInView(satellites: [], time: nil))], .noFix),
  ]

  @Test(arguments: cases.indices) func receivedSignalsDetermineState(index: Int) {
    #expect(finding(Self.cases[index].0).state == Self.cases[index].1)
  }

  @Test func problemHasItsOwnRemedyUnlessSignalsAreWeak() {
    func remedy(signal: Float, _ others: SourceSignal...) -> String? {
      let satellite = SatellitesInView.Satellite(constellation: .gps, number: 5, signal: signal)
      return finding([.satellites(SatellitesInView(satellites: [satellite], time: nil))] + others).remedy
    }
    #expect(remedy(signal: 45, Self.problemSignal(.noPosition)) == "Do it.")
    #expect(remedy(signal: 20, Self.problemSignal(.noPosition))?.hasSuffix("too weak.") == true)
    #expect(remedy(signal: 45)?.hasPrefix("Wait: ") == true)
  }

  @Test func silentSourceReportsListeningTime() {
    #expect(finding([]).problem?.message == "hear anything from gpsd: nothing readable came in 5 s")
    #expect(
      finding([]).remedy == "Listen for longer: `whereabouts doctor --source gpsd --wait 25s`.",
      "without the source, the command would check others")
    #expect(finding([], name: "nmea:udp://:10110?x=1").remedy?.contains("'nmea:udp://:10110?x=1'") == true)
  }

  /// A receiver that reports in 10 s sends nothing while the doctor listens.
  @Test func silentReceiverMayReportSeldom() {
    let silent = Self.problemSignal(.silent)
    #expect(
      finding([silent], name: "nmea:/dev/ttyS0").remedy
        == "Do it. A receiver that reports seldom needs longer: `whereabouts doctor --source nmea:/dev/ttyS0 --wait 60s`."
    )
    #expect(finding([silent]).remedy == "Do it.", "gpsd answers at once")
  }

  @Test func locationServiceWithoutPositionIsNotUnreadable() {
    #expect(
      finding([], name: "geoclue").problem?.message
        == "get a position from the location service: none came in 5 s")
    let health = SourceHealth(
      name: "geoclue", state: .connecting, since: Moment(instant: .start, wall: nil), problem: nil)
    #expect(SourceText.reason(health) == "geoclue: no position came")
  }

  @Test func clockOffsetIsMeasuredFromLiveFix() {
    var result = ListenResult()
    result.process(
      .fix(Self.fix, age: .sinceArrival), after: .seconds(1), wall: Self.now.advanced(by: .seconds(3600)))
    let finding = MachineChecks.clock(now: Self.now, lead: result.clockLead)
    #expect(finding.state == .odd && finding.text.hasSuffix("1 h 00 min ahead of the receiver's"))
    let agreeing = MachineChecks.clock(now: Self.now, lead: .seconds(1))
    #expect(agreeing.state == .good)
    #expect(agreeing.text.hasSuffix(" UTC; the time agrees with the receiver's"), "the date may be assumed")
    #expect(MachineChecks.clock(now: UTCTime(nanosecondsSince1970: 0), lead: nil).state == .odd)
  }

  @Test func fixesThatAreRefusedAsFromTheFutureShowAClockThatIsBehind() {
    func lead(ofClockAhead ahead: Duration, _ rule: SourceSignal.AgeRule = .sinceFixTime) -> Duration? {
      var result = ListenResult()
      result.process(.fix(Self.fix, age: rule), after: .seconds(1), wall: Self.now.advanced(by: ahead))
      return result.clockLead
    }
    #expect(lead(ofClockAhead: .seconds(-86_400)) == .seconds(-86_400))
    #expect(lead(ofClockAhead: .seconds(-5)) == nil, "such fixes are used")
    #expect(lead(ofClockAhead: .seconds(3600)) == nil, "the fix may be an hour old")
    #expect(lead(ofClockAhead: .seconds(-86_400), .sinceTrustedTime) == nil, "a phone's clock may be wrong")
    let finding = MachineChecks.clock(now: Self.now, lead: .seconds(-86_400))
    #expect(finding.text.hasSuffix("1 d 0 h behind the receiver's"))
    #expect(finding.remedy?.contains("location service are refused") == true)
    #expect(MachineChecks.clock(now: Self.now, lead: .seconds(3600)).remedy?.contains("refused") == false)
  }

  @Test func longerListeningIsRecommendedThanBefore() {
    let finding = SourceFinding("gpsd", ListenResult(), listeningFor: .seconds(25))
    #expect(finding.remedy?.hasSuffix("--wait 75s`.") == true)
  }

  @Test func reasonEndsListeningWithoutAGivenTime() async {
    var silent = ListenResult()
    #expect(!silent.hasReason(after: .seconds(20)), "nothing came")
    silent.process(Self.problemSignal(.silent), after: .seconds(8), wall: Self.now)
    #expect(await ListeningPeriod(nil).isOver(for: silent, after: .seconds(8)))
    #expect(await ListeningPeriod(.seconds(30)).isOver(for: silent, after: .seconds(8)) == false)
    var searching = ListenResult()
    let sky = SourceSignal.satellites(SatellitesInView(satellites: [], time: nil))
    searching.process(sky, after: .seconds(7), wall: Self.now)
    #expect(!searching.hasReason(after: .seconds(11)), "a fix may follow the first satellites")
    #expect(searching.hasReason(after: .seconds(12)))
  }

  @Test func deliveryOfOneSourceEndsListeningToOthers() async {
    let period = ListeningPeriod(nil), nothing = ListenResult()
    #expect(await period.isOver(for: nothing, after: .seconds(20)) == false)
    var delivering = ListenResult()
    delivering.process(.fix(Self.fix, age: .sinceArrival), after: .seconds(1), wall: Self.now)
    #expect(await period.isOver(for: delivering, after: .seconds(2)) == false, "satellites may follow")
    #expect(await period.isOver(for: delivering, after: .seconds(3)))
    #expect(await period.isOver(for: nothing, after: .seconds(4)) == false)
    #expect(await period.isOver(for: nothing, after: .seconds(5)))
  }

  @Test func listeningEndsWhenResultIsComplete() {
    var result = ListenResult()
    #expect(!result.isComplete(after: .seconds(4)))
    result.process(Self.problemSignal(.unreachable), after: .seconds(1), wall: Self.now)
    #expect(result.isComplete(after: .seconds(1)))
    result.process(.fix(Self.fix, age: .sinceArrival), after: .seconds(1), wall: Self.now)
    #expect(!result.isComplete(after: .seconds(2)), "satellites may arrive with the next second")
    #expect(result.isComplete(after: .milliseconds(2500)))
  }
}
