import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct OutlierTestTests {
  /// One fix in a table: seconds, metres north, accuracy, speed, course; and whether it is used.
  struct Step: Sendable {
    var seconds: Double?
    var metres: Double
    var accuracy: Double?
    var speed: Double?
    var course: Double?
    var isUsed: Bool
    var arrival: Double?

    init(
      _ seconds: Double?, _ metres: Double, _ accuracy: Double? = 8, speed: Double? = nil,
      course: Double? = nil,
      arrival: Double? = nil, used isUsed: Bool
    ) {
      self.seconds = seconds
      self.metres = metres
      self.accuracy = accuracy
      self.speed = speed
      self.course = course
      self.isUsed = isUsed
      self.arrival = arrival
    }
  }

  struct Table: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var activity: Activity
    var steps: [Step]

    init(_ claim: String, by activity: Activity = .other, _ steps: [Step]) {
      testDescription = claim
      self.activity = activity
      self.steps = steps
    }
  }

  static func verdicts(
    _ steps: [Step], _ activity: Activity, _ settings: Outlier.Settings? = Outlier.Settings()
  )
    -> [OutlierTest.Verdict]
  {
    var test = OutlierTest(settings)
    return steps.map { step in
      var fix = fix(step.accuracy, at: step.seconds, north: step.metres, speed: step.speed)
      fix.course = step.course
      let arrival = step.arrival ?? step.seconds ?? 0
      return test.judge(TimedFix(fix: fix, validAt: Instant(.seconds(arrival))), activity: activity)
    }
  }

  /// Ten seconds at a walking pace, then the steps.
  static func walking(_ steps: [Step]) -> [Step] {
    (0..<10).map { Step(Double($0), Double($0) * 1.4, speed: 1.4, course: 0, used: true) } + steps
  }

  /// Ten seconds at 30 m/s, then the steps; at 10 s the device is at 300 m.
  static func driving(stating speed: Double? = 30, accuracy: Double? = 5, _ steps: [Step]) -> [Step] {
    (0..<10).map {
      Step(Double($0), Double($0) * 30, accuracy, speed: speed, course: speed.map { _ in 0 }, used: true)
    } + steps
  }

  static let tables: [Table] = [
    Table(
      "a teleport is refused, and the following fixes on the path are used",
      walking([
        Step(10, 250, speed: 1.4, used: false), Step(11, 15.4, speed: 1.4, used: true),
        Step(12, 17, speed: 1.4, used: true),
      ])),
    Table(
      "a distant fix with a poor stated accuracy is used",
      walking([Step(10, 250, 100, speed: 1.4, used: true)])),
    Table(
      "a second place at the same time is refused if the accuracies exclude it",
      walking([
        Step(9, 90, used: false), Step(9, 30, used: true),
      ])),
    Table(
      "a reachable fix is used at any speed",
      driving([
        Step(11, 335, speed: 36, used: true), Step(12, 350, speed: 20, used: true),
        Step(13, 360, speed: 4, used: true),
      ])),
    Table(
      "a fix far behind a fast device is refused",
      driving([
        Step(10, 180, 5, used: false), Step(11, 330, 5, used: true),
      ])),
    Table(
      "two fixes of a fast train in one whole second are used",
      (0..<10).map { Step(Double($0), Double($0) * 83, 5, speed: 83, course: 0, used: true) } + [
        Step(9, 822, 5, speed: 83, course: 0, used: true), Step(10, 897, 5, speed: 83, course: 0, used: true),
        Step(10, 1200, 5, speed: 83, course: 0, used: false),
      ]),
    Table("a fix after a train tunnel is used", driving([Step(100, 2900, 30, speed: 33, used: true)])),
    Table(
      "a distant fix minutes after a walk is used", by: .walk,
      walking([
        Step(400, 4500, used: true)
      ])),
    Table(
      "a fix after a flight with the phone off is used", by: .walk,
      walking([Step(36_000, 3_000_000, 20, used: true)])),
    Table(
      "a coarse first fix causes no refusals",
      [
        Step(0, 0, 1400, used: true), Step(1, 3500, 8, used: true), Step(2, 3501, 8, used: true),
        Step(3, 3502, 8, used: true),
      ]),
    Table(
      "a wrong and accurate first fix causes no refusals", by: .walk,
      [
        Step(0, 90_000, 8, used: true), Step(1, 0, 8, used: true), Step(2, 1, 8, used: true),
        Step(3, 2, 8, used: true),
      ]),
    Table(
      "a distant second fix with worse accuracy is refused", by: .walk,
      [
        Step(0, 0, 8, used: true), Step(1, 3000, 50, used: false), Step(2, 2, 8, used: true),
      ]),
    Table(
      "a jump is accepted at the third agreeing fix",
      walking([
        Step(10, 900, speed: 1.4, used: false), Step(11, 901.4, speed: 1.4, used: false),
        Step(12, 902.8, speed: 1.4, used: true),
        Step(13, 904, speed: 1.4, used: true),
      ])),
    Table(
      "disagreeing outliers are never accepted",
      walking([
        Step(10, 900, used: false), Step(11, -900, used: false), Step(12, 2000, used: false),
        Step(13, 400, used: false),
        Step(14, 150, used: false), Step(15, 600, used: false), Step(16, 22, used: true),
      ])),
    Table(
      "a good fix in between restarts the count",
      walking([
        Step(10, 900, used: false), Step(11, 901, used: false), Step(12, 17, speed: 1.4, used: true),
        Step(13, 903, used: false),
        Step(14, 904, used: false), Step(15, 905, used: true),
      ])),
    Table(
      "a network fix does not move the trusted place",
      walking([
        Step(10, 300, 400, used: true), Step(11, 15.4, 8, speed: 1.4, used: true),
        Step(12, 250, 8, used: false),
      ])),
    Table(
      "a less accurate fix does not move the trusted place",
      walking([
        Step(10, 300, 400, used: true), Step(11, 250, 8, used: false), Step(12, 16.8, 8, used: true),
      ])),
    Table(
      "a constant stated speed of zero is ignored",
      driving(
        stating: 0,
        [
          Step(10, 300, 5, speed: 0, used: true), Step(11, 330, 5, speed: 0, used: true),
        ])),
    Table(
      "fixes without accuracy are tested with a default accuracy",
      driving(
        stating: nil, accuracy: nil,
        [
          Step(10, 300, nil, used: true), Step(11, 2500, nil, used: false), Step(12, 360, nil, used: true),
        ])),
    Table(
      "fixes without time are tested by arrival time", by: .walk,
      [
        Step(nil, 0, arrival: 0, used: true), Step(nil, 1, arrival: 1, used: true),
        Step(nil, 900, arrival: 2, used: false),
        Step(nil, 3, arrival: 3, used: true),
      ]),
    Table(
      "simultaneous fixes without time are not tested", by: .walk,
      [
        Step(nil, 0, used: true), Step(nil, 900, used: true), Step(nil, 5000, used: true),
      ]),
    Table(
      "90 m/s on foot is refused until three fixes agree", by: .walk,
      [
        Step(0, 0, used: true), Step(1, 1, used: true), Step(2, 91, used: false), Step(3, 181, used: false),
        Step(4, 271, used: true),
        Step(5, 361, used: true), Step(6, 451, used: true),
      ]),
  ]

  @Test(arguments: tables) func plausibleFixesAreAcceptedAndImplausibleRefused(table: Table) {
    for (index, verdict) in Self.verdicts(table.steps, table.activity).enumerated() {
      let isUsed = if case .refused = verdict { false } else { true }
      #expect(isUsed == table.steps[index].isUsed, "step \(index): \(verdict)")
    }
  }

  @Test func refusalReportsSpeedDistanceAndTime() throws {
    let verdicts = Self.verdicts(
      Self.walking([Step(10, 250, speed: 1.4, used: false), Step(10, 57, used: false)]), .walk)
    guard case .refused(let fast) = verdicts[10], case .refused(let sudden) = verdicts[11] else {
      Issue.record("\(verdicts)")
      return
    }
    #expect(fast.cause == .speed && abs(fast.distance - 237.4) < 0.5 && fast.seconds == 1)
    // The speed with its error, half of the acceleration, three times the accuracies, and half a second.
    let margin = 3 * 129.0.squareRoot() + 0.7
    let possible = 1.4 + 2 + margin
    #expect(abs(fast.off - fast.allowed - (237.4 - possible)) < 0.5)
    #expect(fast.impliedSpeed.map { abs($0 - 237.4) < 0.5 } == true)
    #expect(sudden.cause == .acceleration)
    let still = Self.verdicts(
      [Step(0, 0, used: true), Step(1, 0, used: true), Step(1, 80, used: false)], .other)
    if case .refused(let twofold) = still[2] {
      #expect(twofold.cause == .place && twofold.impliedSpeed == nil)
    } else {
      Issue.record("\(still)")
    }
  }

  @Test func everyFixIsAcceptedWithoutSettings() {
    let steps = Self.walking([Step(10, 90_000, used: true), Step(10, -90_000, used: true)])
    #expect(Self.verdicts(steps, .walk, nil).allSatisfy { $0 == .accepted })
  }

  @Test func invalidSettingsBecomeStandardValues() {
    var settings = Outlier.Settings()
    settings.maximumSpeed = .nan
    settings.maximumAcceleration = -1
    settings.tolerance = -.infinity
    settings.agreeing = -5
    settings.memory = .seconds(-1)
    settings.assumedAccuracy = 0
    settings.leastAccuracy = .nan
    #expect(settings.validated == Outlier.Settings(agreeing: 1, memory: .zero))
    let limit = Outlier.Settings(maximumSpeed: 60)
    let verdicts = Self.verdicts(
      [Step(0, 0, used: true), Step(1, 1, used: true), Step(10, 900, used: true)], .other, limit)
    #expect(verdicts[2] != .accepted)
  }

  /// A source that states 0 for an unknown speed or course, on a motorway at 33 m/s, 35° off the north.
  @Test(arguments: [(0, nil), (0, 0), (33, 0), (33, 215)] as [(Double, Double?)])
  func statedMotionThatTheFixesDisproveRefusesFewFixes(speed: Double, course: Double?) throws {
    var test = OutlierTest(Outlier.Settings()), refused = 0
    for second in 0..<600 {
      let seconds = Double(second)
      var fix = fix(8, at: seconds, north: 0, speed: speed)
      fix.coordinate = try #require(fix.coordinate.destination(azimuth: 35, distance: 33 * seconds))
      fix.course = course
      let verdict = test.judge(TimedFix(fix: fix, validAt: Instant(.seconds(seconds))), activity: .other)
      if case .refused = verdict { refused += 1 }
    }
    #expect(refused <= 2, "\(refused)")
  }

  /// Stated velocities count again once a leg has confirmed them: a jump aside is then refused as before.
  @Test func statedMotionCountsAgainOnceItIsConfirmed() {
    let jump = [
      Step(10, 900, 5, speed: 30, course: 0, used: false),
      Step(11, 930, 5, speed: 30, course: 0, used: false),
    ]
    let after = (12..<20).map {
      Step(Double($0), 900 + 30 * Double($0 - 10), 5, speed: 30, course: 0, used: true)
    }
    let back = Step(20, 900 + 30 * 10 - 100, 5, speed: 30, course: 0, used: false)
    let verdicts = Self.verdicts(Self.driving(jump + after + [back]), .other)
    guard case .refused = verdicts.last else {
      Issue.record("\(verdicts.suffix(9))")
      return
    }
  }
}
