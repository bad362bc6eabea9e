@_spi(Simulation) import CoreLocation
import Foundation
import Testing
import Whereabouts

@testable import CoreLocationAdapter

/// Dialogs and answers, as the person and the settings give them.
@Suite struct PermissionTests {
  @Test(arguments: [
    (SimulatedDevice.Answer.whileUsing, inUse), (.once, inUse), (.no, Authorization.Status.denied),
  ])
  func answerIsReported(answer: SimulatedDevice.Answer, status: Authorization.Status) async {
    let scene = DeviceScene(status: .notDetermined)
    scene.demandFixes()
    scene.requestAuthorization(.whenInUse)
    await scene.device.wait { $0.dialog == .whenInUse }
    scene.device.answer(answer)
    #expect(
      await scene.signals.wait { $0.authorizations.count == 2 }.authorizations == [.notDetermined, status])
    if status != .denied { await scene.device.wait { $0.isUpdating || $0.isRequesting } }
    let calls = await scene.end()
    #expect(calls.dialogCount == 1 && calls.violations == [])
    #expect(status != .denied || !calls.calls.contains { $0.hasPrefix("start") })
  }

  @Test func onceEndsInTheBackgroundAndIsAskedAgain() async {
    let scene = DeviceScene(status: .notDetermined)
    scene.demandFixes()
    scene.requestAuthorization(.whenInUse)
    await scene.device.wait { $0.dialog != nil }
    scene.device.answer(.once)
    await scene.device.wait { $0.isUpdating || $0.isRequesting }
    scene.device.setForeground(false)
    #if !APPLE_MACOS
      await scene.device.wait { !$0.isUpdating && !$0.isRequesting }
    #endif
    scene.device.setForeground(true)
    scene.device.suspend()
    scene.device.resume()
    await scene.device.wait { $0.dialogCount == 2 }
    _ = await scene.end()
  }

  @Test func requestInTheBackgroundIsRepeatedInTheForeground() async {
    let scene = DeviceScene(status: .notDetermined)
    scene.device.setForeground(false)
    scene.demandFixes()
    scene.requestAuthorization(.whenInUse)
    await scene.device.wait { $0.calls.contains("requestWhenInUseAuthorization") }
    #expect(scene.device.snapshot.dialogCount == 0)
    scene.device.setForeground(true)
    scene.device.suspend()
    scene.device.resume()
    await scene.device.wait { $0.dialog == .whenInUse }
    _ = await scene.end()
  }

  #if APPLE_IOS || APPLE_WATCHOS
    @Test func alwaysIsProvisionalFirst() async {
      let scene = DeviceScene(status: .notDetermined)
      scene.demandFixes()
      scene.requestAuthorization(.always)
      await scene.device.wait { $0.dialog == .always }
      scene.device.answer(.whileUsing)
      await scene.signals.wait { $0.authorizations.last == .always }
      scene.device.askToKeepAlways()
      scene.device.answer(.keepWhileUsing)
      await scene.signals.wait { $0.authorizations.last == .whenInUse }
      #expect(await scene.end().violations == [])
    }

    @Test func firstNeedDoesNotAskForTheChangeToAlways() async {
      let scene = DeviceScene()
      scene.requestAuthorization(.always)
      await scene.startFixes()
      let calls = await scene.end()
      #expect(calls.dialogCount == 0)
      #expect(!calls.calls.contains("requestAlwaysAuthorization"))
    }

    @Test func alwaysIsAskedInContextOnce() async {
      let scene = DeviceScene()
      await scene.startFixes()
      scene.source.requestAuthorization(.always)
      await scene.device.wait { $0.dialog == .change }
      scene.device.answer(.keepWhileUsing)
      scene.source.requestAuthorization(.always)
      await scene.device.wait { $0.calls.filter { $0 == "requestAlwaysAuthorization" }.count == 2 }
      #expect(scene.device.snapshot.dialogCount == 1)
      #expect(await scene.end().violations == [])
    }

    @Test func changeToAlwaysIsReported() async {
      let scene = DeviceScene()
      scene.source.requestAuthorization(.always)
      await scene.device.wait { $0.dialog == .change }
      scene.device.answer(.changeToAlways)
      await scene.signals.wait { $0.authorizations.last == .always }
      _ = await scene.end()
    }
  #endif

  #if APPLE_TVOS || APPLE_VISIONOS
    @Test func requestForAlwaysAsksWhileUsing() async {
      let scene = DeviceScene(status: .notDetermined)
      #expect(scene.source.authorizationNeeds == .userConsent(requestable: [.whenInUse]))
      scene.source.requestAuthorization(.always)
      await scene.device.wait { $0.dialog == .whenInUse }
      #expect(await scene.end().dialogCount == 1)
    }
  #endif

  @Test func missingTextFails() async {
    let scene = DeviceScene(keys: [], status: .notDetermined)
    #expect(scene.source.authorizationNeeds == .userConsent(requestable: []))
    #expect(!scene.source.setupProblems().isEmpty)
    scene.demandFixes()
    await scene.signals.wait { $0.contains { if case .failed = $0 { true } else { false } } }
    _ = await scene.end()
  }

  @Test func restrictionIsReported() async {
    let scene = DeviceScene(status: .restricted)
    scene.demandFixes()
    await scene.signals.wait { $0.authorizations == [.restricted] }
    #expect(!(await scene.end().calls.contains { $0.hasPrefix("start") }))
  }

  @Test(arguments: [true, false])
  func servicesSwitchedOffAndOn(isInStatus: Bool) async {
    let scene = DeviceScene()
    await scene.startFixes()
    scene.device.setServices(false, isInStatus: isInStatus)
    await scene.signals.wait { $0.authorizations.last == .servicesDisabled }
    await scene.device.wait { !$0.isUpdating && !$0.isRequesting }
    scene.device.setServices(true, isInStatus: isInStatus)
    // Where the switch is not in the status, nothing calls back, and the next demand reads it.
    if !isInStatus { scene.demandFixes(100) }
    await scene.signals.wait { $0.authorizations.last == inUse }
    await scene.device.wait { $0.isUpdating || $0.isRequesting }
    #expect(await scene.end().violations == [])
  }

  @Test func accuracyMayChangeAlone() async {
    let scene = DeviceScene()
    scene.device.setAccuracy(.reducedAccuracy)
    let reduced = AuthorizationReading.allowed(
      inUse == .always ? .always : .whenInUse, isReduced: true
    ).authorization(on: .current)
    await scene.signals.wait(for: .authorization(reduced))
    _ = await scene.end()
  }

  @Test func openQuestionForFullAccuracyEndsWithTheSource() async {
    let scene = DeviceScene(purposes: ["navigation"])
    scene.device.setAccuracy(.reducedAccuracy)
    scene.device.leaveAccuracyOpen()
    let question = Task { [source = scene.source] in
      try await source.requestFullAccuracy(purposeKey: "navigation")
    }
    await scene.device.wait { $0.calls.contains("requestTemporaryFullAccuracyAuthorization") }
    _ = await scene.end()
    await #expect(throws: CancellationError.self) { try await question.value }
  }

  @Test func fullAccuracyIsRequestedWithItsPurpose() async throws {
    let scene = DeviceScene(purposes: ["navigation"])
    await #expect(throws: CLError.self) {
      try await scene.source.requestFullAccuracy(purposeKey: "navigation")
    }
    scene.device.setAccuracy(.reducedAccuracy)
    await #expect(throws: CLError.self) { try await scene.source.requestFullAccuracy(purposeKey: "other") }
    try await scene.source.requestFullAccuracy(purposeKey: "navigation")
    _ = await scene.end()
    await #expect(throws: CancellationError.self) {
      try await scene.source.requestFullAccuracy(purposeKey: "navigation")
    }
  }
}
