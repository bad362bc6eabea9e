import Testing
import Whereabouts
import WhereaboutsTesting

/// The power policy of a manager, as the documentation of power describes it.
@Suite(.timeLimit(.minutes(10))) struct DocumentedPowerTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()
  private let fine = Demand.continuous(Demand.Continuous(accuracy: 5))

  private func makeManager(_ power: PowerSettings = PowerSettings()) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, settings: ManagerSettings(power: power))
  }

  /// The distance filter that the source was asked for last.
  private var distanceFilter: Double? {
    get async {
      guard let demand = await source.demands.last, case .continuous(let wanted) = demand.fixes else {
        return nil
      }
      return wanted.distanceFilter
    }
  }

  // MARK: Background

  /// A state of the host, and whether a subscription gets continuous fixes in it.
  struct Host: Sendable {
    let settings: PowerSettings.Background
    let isForeground: Bool
    let isCharging: Bool?
    let continues: Bool

    init(_ settings: PowerSettings.Background, foreground: Bool, charging: Bool?, continues: Bool) {
      self.settings = settings
      isForeground = foreground
      isCharging = charging
      self.continues = continues
    }
  }

  static let hosts = [
    Host(PowerSettings.Background(), foreground: true, charging: false, continues: true),
    Host(PowerSettings.Background(), foreground: true, charging: true, continues: true),
    Host(PowerSettings.Background(), foreground: false, charging: true, continues: true),
    Host(PowerSettings.Background(), foreground: false, charging: nil, continues: true),
    Host(PowerSettings.Background(), foreground: false, charging: false, continues: false),
    Host(.everywhere, foreground: false, charging: false, continues: true),
    Host(PowerSettings.Background(whileCharging: false), foreground: false, charging: true, continues: false),
    Host(PowerSettings.Background(whileCharging: false), foreground: true, charging: true, continues: true),
    Host(PowerSettings.Background(whileActive: false), foreground: true, charging: true, continues: false),
    Host(PowerSettings.Background(whileActive: false), foreground: false, charging: true, continues: true),
  ]

  @Test(arguments: hosts) func subscriptionContinuesWhereTheSettingsAllow(host: Host) async {
    let manager = makeManager(PowerSettings(background: host.settings))
    manager.setPower(PowerState(isForeground: host.isForeground, isCharging: host.isCharging))
    let stream = manager.fixes(.room)
    await manager.waitUntilProcessed()
    let expected = host.continues ? fine : Demand.significantChanges
    #expect(await source.demands == [expected])
    #expect(await manager.powerDecision?.demand == expected)
    withExtendedLifetime(stream) {}
  }

  @Test func eachChangeOfTheHostChangesTheDemandOnce() async {
    let manager = makeManager(), stream = manager.fixes(.room)
    for (isForeground, isCharging) in [
      (false, true), (false, false), (false, false), (false, true), (false, false), (true, false),
    ] {
      manager.setPower(PowerState(isForeground: isForeground, isCharging: isCharging))
    }
    await manager.waitUntilProcessed()
    #expect(await source.demands == [fine, .significantChanges, fine, .significantChanges, fine])
    withExtendedLifetime(stream) {}
  }

  @Test func requestsAndFencesGetTheirFixesInTheBackground() async throws {
    let manager = makeManager()
    manager.setPower(PowerState(isForeground: false, isCharging: false))
    let request = manager.request(.room, timeout: nil)
    await manager.waitUntilProcessed()
    #expect(await source.demands == [fine])
    request.cancel()
    #expect(await request.outcome == .cancelled)
    #expect(await source.demands.last == .off)
    try await manager.fences.add(try circle("home"))
    guard let demand = await source.demands.last, case .continuous = demand.fixes else {
      Issue.record("the fence is not watched")
      return
    }
  }

  // MARK: Hours

  /// Hours as text carry the name of their time zone alone: 13:30 in Berlin is 11:30 in UTC.
  @Test(.enabled(if: (try? TimeZoneRules(named: "Europe/Berlin")) != nil))
  func hoursOfARuleAreThoseOfTheirTimeZone() async throws {
    let hours = try #require(ActiveHours(text: "13:30-14:30 Europe/Berlin"))
    let unknown = try #require(ActiveHours(text: "13:30-14:30 Nowhere/Never"))
    let coarse = PowerPreset(name: "coarse", accuracy: 500)
    let coarser = PowerPreset(name: "coarser", accuracy: 900)
    let manager = makeManager(
      PowerSettings(rules: [
        PowerSettings.Rule([.hours(unknown)], use: coarser), PowerSettings.Rule([.hours(hours)], use: coarse),
      ]))
    let stream = manager.fixes(.room)
    await manager.waitUntilProcessed()
    #expect(await source.demands == [.continuous(Demand.Continuous(accuracy: 500))])
    #expect(await manager.powerDecision?.preset == "coarse")
    withExtendedLifetime(stream) {}
  }

  // MARK: Filters

  @Test func eachFixChangesTheFilterOfTheSource() async {
    let manager = makeManager(PowerSettings(preset: .balanced)), stream = manager.fixes(.room)
    await manager.waitUntilProcessed()
    #expect(await distanceFilter == 50)
    var north = 0.0
    for (second, speed, filter) in [(1.0, 19.9, 50.0), (2, 20, 400), (3, 10, 50)] {
      await clock.advance(by: .seconds(1))
      var next = fix(5, at: second, north: north)
      next.speed = speed
      await source.emit(next)
      north += speed
      #expect(await distanceFilter == filter, "at \(speed) m/s")
    }
    withExtendedLifetime(stream) {}
  }

  @Test func filterOnFootIsTenMetres() async {
    let manager = makeManager(PowerSettings(preset: .balanced))
    let stream = manager.fixes(.room, activity: .walk)
    await manager.waitUntilProcessed()
    let walk = Demand.Continuous(accuracy: 10, distanceFilter: 10, activity: .walk)
    #expect(await source.demands == [.continuous(walk)])
    withExtendedLifetime(stream) {}
  }
}
