@_spi(Simulation) import CoreLocation
import Foundation
import Testing
import Whereabouts
import WhereaboutsTesting

@testable import CoreLocationAdapter

/// Demands as Core Location receives them, and what comes back.
@Suite struct UpdateTests {
  @Test(
    arguments: [
      (3.0, kCLLocationAccuracyBest), (15, kCLLocationAccuracyNearestTenMeters),
      (25, kCLLocationAccuracyNearestTenMeters), (100, kCLLocationAccuracyHundredMeters),
      (1000, kCLLocationAccuracyKilometer), (5000, kCLLocationAccuracyThreeKilometers),
    ] as [(Double, Double)])
  func accuracyReachesTheManager(accuracy: Double, constant: Double) async {
    let scene = DeviceScene()
    scene.demandFixes(accuracy, distance: 25)
    await scene.device.wait { $0.desiredAccuracy == constant && $0.distanceFilter == 25 }
    scene.demandFixes(accuracy)
    await scene.device.wait { $0.distanceFilter == kCLDistanceFilterNone }
    #expect(await scene.end().violations == [])
  }

  @Test func demandEndsStopEverything() async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.demand(.off)
    await scene.device.wait { !$0.isUpdating && !$0.isRequesting }
    scene.device.move(to: munich())
    let calls = await scene.end()
    #expect(await scene.signals.all.fixes.isEmpty)
    #expect(!calls.isUpdating && !calls.watchesChanges && !calls.watchesVisits && calls.regions.isEmpty)
  }

  @Test func endOfTheManagerStopsEverything() async {
    let scene = DeviceScene()
    await scene.startFixes()
    let calls = await scene.end()
    #expect(!calls.isUpdating && !calls.isRequesting && calls.violations == [])
  }

  /// A relay for the clients of gpsd asks nobody for permission.
  @Test func sourceRunsWithoutAuthorizationRequests() async {
    let scene = DeviceScene(hasAuthorizationRequests: false)
    await scene.startFixes()
    scene.device.move(to: munich())
    await scene.signals.wait { !$0.fixes.isEmpty }
    #expect(await scene.end().violations == [])
  }

  /// As where an app keeps its source for the next manager.
  @Test func secondRunFails() async {
    let scene = DeviceScene()
    _ = await scene.end()
    let signals = SignalLog()
    let link = SourceLink(
      demands: AsyncStream { $0.finish() }, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background()
    ) { signal, _ in
      if let signal { await signals.append(signal) }
      return SourceLink.Status.ended
    }
    await scene.source.run(link)
    #expect(await signals.all == [.failed(CoreLocationProblems.usedBefore)])
  }

  @Test func sourceThatNeverRanEndsItsThread() async {
    let device = SimulatedDevice(infoKeys: [], now: start)
    var source: CoreLocationSource? = CoreLocationSource(
      on: device, keys: [], modes: [], highest: .whenInUse, clock: SessionClock(ContinuousClock()))
    #expect(source?.authorizationNeeds == .userConsent(requestable: []))
    source = nil
    // Nothing is left that could be settled.
    await device.settle()
  }

  #if !APPLE_TVOS
    @Test(arguments: [
      (Activity.other, 1), (.car, 2), (.walk, 3), (.run, 3), (.bike, 3), (.boat, 4), (.air, 5),
    ])
    func activityReachesTheManager(activity: Activity, type: Int) async {
      let scene = DeviceScene()
      scene.demandFixes(activity: .other)
      await scene.device.wait { $0.isUpdating }
      scene.demandFixes(activity: activity)
      await scene.device.wait { $0.activity == type }
      _ = await scene.end()
    }

    @Test func cachedLocationComesFirstAndTellsItsAge() async {
      let scene = DeviceScene()
      scene.device.move(to: munich(0, at: -600))
      await scene.startFixes()
      let signals = await scene.signals.wait { !$0.fixes.isEmpty }
      #expect(signals.contains { if case .fix(_, .sinceFixTime) = $0 { true } else { false } })
      #expect(signals.fixes.map(\.time) == [UTCTime(secondsSince1970: start.timeIntervalSince1970 - 600)])
      _ = await scene.end()
    }

    @Test func batchesArriveInOrder() async {
      let scene = DeviceScene()
      await scene.startFixes()
      scene.device.deliver([munich(0, at: 1), munich(10, at: 2, accuracy: -1), munich(20, at: 3)])
      let fixes = await scene.signals.wait { $0.fixes.count == 3 }.fixes
      #expect(fixes.map(\.horizontalAccuracy) == [5, -1, 5])
      #expect(fixes.compactMap(\.time) == fixes.compactMap(\.time).sorted())
      _ = await scene.end()
    }

    @Test func equalDemandRestarts() async {
      let scene = DeviceScene()
      await scene.startFixes()
      scene.demandFixes()
      await scene.device.wait {
        $0.calls.filter { ["startUpdatingLocation", "stopUpdatingLocation"].contains($0) } == [
          "startUpdatingLocation", "stopUpdatingLocation", "startUpdatingLocation",
        ]
      }
      _ = await scene.end()
    }

    @Test func suspensionDeliversLate() async {
      let scene = DeviceScene()
      await scene.startFixes()
      scene.device.suspend()
      scene.device.deliver([munich(0, at: 1), munich(10, at: 2)])
      await scene.device.settle()
      #expect(await scene.signals.all.fixes.isEmpty)
      scene.device.resume()
      #expect(await scene.signals.wait { $0.fixes.count == 2 }.fixes.count == 2)
      #expect(await scene.end().violations == [])
    }

    @Test func missingFirstFixIsReported() async {
      let scene = DeviceScene()
      await scene.startFixes()
      // The session sleeps until the time-out of the first fix.
      #expect(await scene.clock.nextDeadline().offset == .seconds(30))
      await scene.clock.advance(by: .seconds(30))
      await scene.signals.wait(for: .unavailable(CoreLocationProblems.noPosition))
      _ = await scene.end()
      await scene.clock.waitUntilNoSleepers()
    }
  #else
    @Test func singleLocationsFollowEachOther() async {
      let scene = DeviceScene()
      await scene.startFixes()
      scene.device.move(to: munich(0, at: 1))
      await scene.signals.wait { $0.fixes.count == 1 }
      #expect(await scene.clock.nextDeadline().offset == .seconds(10))
      await scene.clock.advance(by: .seconds(10))
      await scene.device.wait { $0.isRequesting }
      scene.device.move(to: munich(10, at: 11))
      await scene.signals.wait { $0.fixes.count == 2 }
      #expect(await scene.end().violations == [])
    }

    @Test func failedSingleLocationIsRequestedAgain() async {
      let scene = DeviceScene()
      await scene.startFixes()
      scene.device.advance(by: 10)
      await scene.signals.wait(for: .unavailable(CoreLocationProblems.noPosition))
      await scene.clock.advance(by: .seconds(10))
      await scene.device.wait { $0.isRequesting }
      _ = await scene.end()
    }
  #endif

  // MARK: Background

  #if APPLE_IOS
    @Test(.timeLimit(.minutes(10))) func droppedBackgroundActivityEnds() async {
      let device = SimulatedDevice(infoKeys: [], now: start)
      beginAndDropActivity(on: device)
      await device.wait { $0.heldActivities == 0 }
    }

    private func beginAndDropActivity(on device: SimulatedDevice) {
      device.attach()
      _ = BackgroundActivity()
    }
  #endif

  #if APPLE_IOS || APPLE_WATCHOS
    @Test(arguments: [true, false])
    func backgroundUpdatesNeedTheMode(hasMode: Bool) async {
      let background = ManagerSettings.Background(allowsUpdates: true, showsIndicator: true)
      let scene = DeviceScene(modes: hasMode ? ["location"] : ["audio"], background: background)
      #expect(scene.source.setupProblems(for: background).isEmpty == hasMode)
      await scene.startFixes()
      scene.device.setForeground(false)
      scene.device.move(to: munich())
      if hasMode { await scene.signals.wait { !$0.fixes.isEmpty } }
      let calls = await scene.end()
      #expect(calls.allowsBackground == hasMode && calls.violations == [])
      #expect(await scene.signals.all.fixes.isEmpty != hasMode)
      #if APPLE_IOS
        #expect(calls.showsIndicator == hasMode)
      #endif
    }
  #endif

  #if APPLE_IOS || APPLE_WATCHOS
    /// A tracker whose source is silent for some seconds has the source turned off and on. The source may see the
    /// second demand alone.
    @Test(arguments: [true, false]) func restartKeepsUpdatesInTheBackground(seesBoth: Bool) async throws {
      let scene = DeviceScene(background: ManagerSettings.Background(allowsUpdates: true))
      await scene.startFixes()
      scene.device.setForeground(false)
      if seesBoth { scene.demand(.off) }
      scene.demandFixes()
      await scene.device.wait { $0.calls.filter { $0 == "startUpdatingLocation" }.count == 2 }
      try #require(!scene.device.snapshot.calls.contains("stopUpdatingLocation"))
      scene.device.move(to: munich())
      await scene.signals.wait { !$0.fixes.isEmpty }
      #expect(await scene.end().violations == [])
    }
  #endif

  #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
    @Test func pausesAreOffUnlessSet() async {
      let scene = DeviceScene()
      await scene.startFixes()
      await scene.device.wait { !$0.pauses }
      _ = await scene.end()
    }
  #endif

  // MARK: Significant changes

  #if APPLE_IOS || APPLE_MACOS
    @Test func significantChangesUseTheirService() async {
      let scene = DeviceScene(status: .authorizedAlways)
      scene.demand(.significantChanges)
      await scene.device.wait { $0.watchesChanges }
      for step in 0..<4 {
        scene.device.advance(by: 200)
        scene.device.move(to: munich(Double(step) * 400, at: Double(step) * 200))
      }
      let fixes = await scene.signals.wait { $0.fixes.count == 2 }.fixes
      #expect(fixes.count == 2)
      scene.demand(.off)
      await scene.device.wait { !$0.watchesChanges }
      #expect(!(await scene.end().calls.contains("startUpdatingLocation")))
    }

    /// As for an app that shows the fixes on a map: suspended or ended with the map, it is woken or launched.
    @Test func significantChangesContinueBesideASubscriptionToFixes() async {
      let device = SimulatedDevice(infoKeys: DeviceScene.allKeys, now: start)
      device.setStatus(.authorizedAlways)
      let manager = LocationManager(
        source: CoreLocationSource(
          on: device, keys: DeviceScene.allKeys, modes: [], highest: .always,
          clock: SessionClock(ContinuousClock())))
      let changes = manager.significantChanges()
      await device.wait { $0.watchesChanges }
      let fixes = manager.fixes()
      await device.wait { $0.isUpdating }
      #expect(device.snapshot.watchesChanges)
      changes.end()
      await device.wait { !$0.watchesChanges }
      #expect(device.snapshot.isUpdating)
      fixes.end()
      await device.wait { !$0.isUpdating }
    }
  #endif

  @Test func missingSignificantChangesAreReplaced() async {
    let scene = DeviceScene(hasSignificantChanges: false)
    scene.demand(.significantChanges)
    await scene.signals.wait(for: .unavailable(CoreLocationProblems.noSignificantChanges))
    await scene.device.wait {
      $0.desiredAccuracy == kCLLocationAccuracyKilometer && $0.distanceFilter == 500
        && ($0.isUpdating || $0.isRequesting)
    }
    #expect(await scene.end().violations == [])
  }
}
