@_spi(Simulation) import CoreLocation
import Foundation
import Testing
import Whereabouts

@testable import CoreLocationAdapter

/// Each method of the delegate arrives, and everything happens on the source's own thread.
@Suite struct CallbackTests {
  @Test func authorizationArrivesOnceAtTheBeginning() async {
    let scene = DeviceScene()
    #expect(await scene.signals.wait { !$0.isEmpty }.authorizations == [inUse])
    scene.device.setStatus(.denied)
    #expect(await scene.signals.wait { $0.authorizations.count > 1 }.authorizations == [inUse, .denied])
    #expect(await scene.end().violations == [])
  }

  @Test func locationsArriveWithEveryMember() async throws {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.move(
      to: CLLocation(
        latitude: 48.137, longitude: 11.575, at: start, horizontalAccuracy: 4, altitude: 519,
        ellipsoidalAltitude: 566, verticalAccuracy: 3, course: 84, courseAccuracy: 2, speed: 13,
        speedAccuracy: 0.5, floor: -2, isSimulated: true))
    let fix = try #require(await scene.signals.wait { !$0.fixes.isEmpty }.fixes.first)
    #expect(fix.coordinate == Coordinate(latitude: 48.137, longitude: 11.575))
    #expect(fix.time == UTCTime(secondsSince1970: start.timeIntervalSince1970))
    #expect(fix.horizontalAccuracy == 4 && fix.verticalAccuracy == 3)
    #expect(fix.heightAboveGeoid == 519 && fix.heightAboveEllipsoid == 566)
    #expect(fix.course == 84 && fix.courseAccuracy == 2 && fix.speed == 13 && fix.speedAccuracy == 0.5)
    #expect(fix.floor == -2)
    #expect(fix.source == .coreLocation && fix.isSimulated)
    #expect(await scene.end().violations == [])
  }

  @Test func floorIsAbsentOutsideKnownBuildings() async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.move(to: munich())
    #expect(await scene.signals.wait { !$0.fixes.isEmpty }.fixes.map(\.floor) == [nil])
    _ = await scene.end()
  }

  @Test func unknownSourceInformationIsNotSimulated() async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.move(to: munich())
    #expect(await scene.signals.wait { !$0.fixes.isEmpty }.fixes.map(\.isSimulated) == [false])
    _ = await scene.end()
  }

  @Test(arguments: [
    (CLError.Code.locationUnknown, SourceSignal.unavailable(CoreLocationProblems.noPosition)),
    (.network, .unavailable(CoreLocationProblems.noNetwork)),
    (.historicalLocationError, .unavailable(CoreLocationProblems.unknown("kCLErrorDomain 19"))),
  ])
  func errorsAreReportedAndEndNothing(code: CLError.Code, signal: SourceSignal) async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.fail(CLError(code))
    await scene.signals.wait(for: signal)
    scene.device.move(to: munich())
    await scene.signals.wait { !$0.fixes.isEmpty }
    #expect(await scene.end().violations == [])
  }

  @Test(arguments: [CLError.Code.headingFailure, .regionMonitoringDenied, .promptDeclined])
  func errorsOfOtherServicesAreNotReported(code: CLError.Code) async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.fail(CLError(code))
    scene.device.move(to: munich())
    let signals = await scene.signals.wait { !$0.fixes.isEmpty }
    // On a Mac, the permission allows regions too, and their number is reported.
    let others = signals.filter { if case .wakeCapacity = $0 { false } else { true } }
    #expect(others.count == 3 && others.contains(.segmentBegan))
    _ = await scene.end()
  }

  @Test func foreignErrorsAreReportedWithoutTheirText() async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.fail(ForeignError.atHome(48.137))
    let signals = await scene.signals.wait {
      $0.contains { if case .unavailable = $0 { true } else { false } }
    }
    #expect(!"\(signals)".contains("48.137"))
    _ = await scene.end()
  }

  private enum ForeignError: Error {
    case atHome(Double)
  }

  #if APPLE_IOS || APPLE_WATCHOS
    @Test func headingsArriveFilteredAndAlone() async throws {
      let scene = DeviceScene()
      scene.demand(Demand(headings: Demand.Headings(filter: 10)))
      await scene.device.wait { $0.updatesHeading && $0.headingFilter == 10 }
      scene.device.turn(magnetic: 90)
      scene.device.turn(magnetic: 95)
      scene.device.turn(magnetic: 120, north: 123)
      let signals = await scene.signals.wait { $0.count >= 3 }
      let headings = signals.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
      #expect(headings.map(\.degrees) == [90, 123])
      #expect(headings.map(\.reference) == [.magneticNorth, .trueNorth])
      scene.demand(Demand(headings: Demand.Headings(filter: 0)))
      await scene.device.wait { $0.headingFilter == kCLHeadingFilterNone }
      scene.demand(.off)
      await scene.device.wait { !$0.updatesHeading }
      let calls = await scene.end()
      #expect(!calls.calls.contains("startUpdatingLocation") && calls.violations == [])
    }

    @Test func failureOfHeadingsIsAnUnusableHeading() async {
      let scene = DeviceScene()
      scene.demand(Demand(headings: Demand.Headings(filter: 10)))
      await scene.device.wait { $0.updatesHeading }
      scene.device.fail(CLError(.headingFailure))
      let signals = await scene.signals.wait {
        $0.contains { if case .heading(let heading) = $0 { !heading.isUsable } else { false } }
      }
      #expect(!signals.contains { if case .headingsUnavailable = $0 { true } else { false } })
      #expect(await scene.end().violations == [])
    }

    @Test func missingCompassIsReported() async {
      let scene = DeviceScene(hasCompass: false)
      scene.demand(Demand(headings: Demand.Headings(filter: 10)))
      await scene.signals.wait(for: .headingsUnavailable(CoreLocationProblems.noCompass))
      #expect(!(await scene.end().calls.contains("startUpdatingHeading")))
    }

    @Test(arguments: zip(HeadingOrientation.allCases, [1, 2, 3, 4] as [Int32]))
    func headingOrientationIsSet(orientation: HeadingOrientation, expected: Int32) async {
      let scene = DeviceScene()
      scene.source.setHeadingOrientation(orientation)
      await scene.device.wait { $0.calls.contains("headingOrientation") }
      #expect(await scene.end().headingOrientation == expected)
    }
  #else
    @Test func platformWithoutHeadingsSaysSo() async {
      let scene = DeviceScene()
      scene.demand(Demand(headings: Demand.Headings(filter: 10)))
      await scene.signals.wait(for: .headingsUnavailable(CoreLocationProblems.noCompass))
      scene.source.setHeadingOrientation(.landscapeLeft)
      #expect(await scene.end().violations == [])
    }
  #endif

  #if APPLE_IOS || APPLE_MACOS
    @Test(arguments: [true, false]) func regionsOfTheDeviceAreRead(hasRegions: Bool) async {
      let scene = DeviceScene(
        status: .authorizedAlways, hasRegions: hasRegions, greatestRegionRadius: 5000)
      await scene.signals.wait(
        for: hasRegions ? .wakeCapacity(20, greatestRadius: 5000) : .wakeCapacity(1))
      #expect(await scene.end().violations == [])
    }

    /// Core Location calls back with the permission also when the app is opened again.
    @Test func regionsOfOtherCodeAreCountedAgainWithACallback() async {
      let scene = DeviceScene(status: .authorizedAlways)
      await scene.signals.wait(for: .wakeCapacity(20, greatestRadius: 500_000))
      for number in 1...15 { scene.device.addForeignRegion("com.example.\(number)") }
      scene.device.setAccuracy(.fullAccuracy)
      await scene.signals.wait(for: .wakeCapacity(5, greatestRadius: 500_000))
      #expect(await scene.end().violations == [])
    }
  #endif

  #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
    @Test func pauseAndResumptionArrive() async {
      let scene = DeviceScene(background: ManagerSettings.Background(pausesAutomatically: true))
      await scene.startFixes()
      await scene.device.wait { $0.pauses }
      scene.device.move(to: munich())
      await scene.signals.wait { !$0.fixes.isEmpty }
      #expect(scene.device.pause())
      await scene.signals.wait(for: .unavailable(CoreLocationProblems.paused))
      scene.device.endPause()
      scene.device.move(to: munich(50, at: 60))
      let signals = await scene.signals.wait { $0.fixes.count == 2 }
      #expect(signals.filter { $0 == .segmentBegan }.count == 2)
      _ = await scene.end()
    }

    @Test func pauseDespiteTheSettingIsEndedByTheNextDemand() async {
      let scene = DeviceScene()
      await scene.startFixes()
      #expect(!scene.device.pause())
      #expect(scene.device.pause(despiteSettings: true))
      await scene.signals.wait(for: .unavailable(CoreLocationProblems.paused))
      scene.demandFixes(100)
      await scene.device.wait { $0.calls.filter { $0 == "startUpdatingLocation" }.count == 2 }
      scene.device.move(to: munich(50, at: 60))
      await scene.signals.wait { $0.fixes.count == 1 }
      _ = await scene.end()
    }
  #endif
}
