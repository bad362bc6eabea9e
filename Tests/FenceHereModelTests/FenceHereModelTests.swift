import Foundation
import Testing
import Whereabouts
import WhereaboutsTesting

@testable import FenceHereModel

/// The screen of the example app, without the screen.
@MainActor @Suite struct FenceHereModelTests {
  private let source = ScriptedSource()
  private let clock = StepClock(wall: UTCTime(secondsSince1970: 1_795_282_170))
  private let store = MemoryStore()

  private func manager(_ authorization: Authorization.Needs = .none) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  private func fix(_ meters: Double, accuracy: Double, at seconds: Double = 0) -> Fix {
    Fix.test(
      latitude: 48.137 + meters / 111_195, longitude: 11.575, accuracy: accuracy,
      time: UTCTime(secondsSince1970: 1_795_282_170 + seconds))
  }

  /// Waits until the model is as expected.
  private func wait(_ model: FenceHereModel, until condition: @escaping (FenceHereModel) -> Bool) async {
    while !condition(model) { await Task.yield() }
  }

  /// Returns the present health of the store.
  private func health(of manager: LocationManager) async -> StoreHealth? {
    for await health in manager.storeHealth { return health }
    return nil
  }

  /// Whether the phone has been unlocked since its start. `lock` guards it: Apple's least systems have no `Mutex`.
  private final class Phone: @unchecked Sendable {
    private let lock = NSLock()
    private var wasUnlocked = false
    var isUnlocked: Bool { lock.withLock { wasUnlocked } }
    func unlock() { lock.withLock { wasUnlocked = true } }
  }

  /// Returns the store of a phone, which can't be opened before the unlock.
  private func lateStore(on phone: Phone) -> LateStore {
    LateStore { [store] () throws(StoreError) -> any LocationStore in
      guard phone.isUnlocked else {
        throw StoreError(.notPermitted, message: "open the store: access is denied")
      }
      return store
    }
  }

  /// The system may launch the app for a region before the first unlock.
  @Test func storeIsOpenedAgainAfterTheUnlock() async {
    let phone = Phone()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: lateStore(on: phone))
    guard case .unusable? = await health(of: manager) else {
      Issue.record("the store is reported as usable")
      return
    }
    phone.unlock()
    await source.emit(.woke(.left))
    let healthAfter = await health(of: manager)
    #expect(healthAfter == .working)
    await source.emit(fix(0, accuracy: 8))
    #expect(await store.fixes().count == 1)
    withExtendedLifetime(manager) {}
  }

  @Test func fencesOfEarlierLaunchesAreShownAfterTheUnlock() async {
    let earlier = FenceHereModel(manager())
    await source.emit(fix(0, accuracy: 8))
    await earlier.fenceHere()
    #expect(earlier.fences == ["Fence 1"])
    let phone = Phone(), next = ScriptedSource()
    let model = FenceHereModel(
      LocationManager(source: next, clock: clock.managerClock, store: lateStore(on: phone)))
    let running = Task { await model.run() }
    await next.emit(.unavailable(SourceProblem(.noPosition, message: "see the sky")))
    await wait(model) { $0.warning != nil }
    #expect(model.fences.isEmpty)
    phone.unlock()
    await next.emit(.woke(.left))
    await wait(model) { $0.fences == ["Fence 1"] }
    running.cancel()
    await running.value
  }

  @Test func fenceThatCouldNotBeStoredIsShownAndTheNextHasAnotherName() async {
    let model = FenceHereModel(manager())
    await source.emit(fix(0, accuracy: 8))
    await store.fail(.full)
    await model.fenceHere()
    #expect(model.fences == ["Fence 1"])
    #expect(model.message?.hasPrefix("Fence 1 is watched, but not stored yet: ") == true)
    await model.fenceHere()
    #expect(model.fences == ["Fence 1", "Fence 2"])
  }

  @Test func searchFindsALocationAndSaysHowGood() async {
    let model = FenceHereModel(manager())
    #expect(model.statusLine == "Tap start to search.")
    let search = Task { await model.toggleSearch() }
    await wait(model) { $0.isSearching }
    _ = await source.demand { $0.fixes != .off }
    await source.emit(fix(0, accuracy: 60))
    await wait(model) { $0.location != nil }
    #expect(model.statusLine == "Searching for a better location…")
    await source.emit(fix(0, accuracy: 8, at: 1))
    await search.value
    #expect(model.statusLine == "Found, within 8 m." && !model.isSearching)
  }

  @Test func searchEndsWhereTheLocationNoLongerImproves() async {
    let model = FenceHereModel(manager())
    let search = Task { await model.toggleSearch() }
    _ = await source.demand { $0.fixes != .off }
    await source.emit(fix(0, accuracy: 40))
    await clock.advance(by: .seconds(5))
    await source.emit(fix(0, accuracy: 40, at: 5))
    _ = await source.demand { $0.fixes == .off }
    await search.value
    #expect(model.statusLine == "Found, within 40 m.")
  }

  @Test func searchThatIsStoppedIsOver() async {
    let model = FenceHereModel(manager())
    let search = Task { await model.toggleSearch() }
    _ = await source.demand { $0.fixes != .off }
    await model.toggleSearch()
    await search.value
    #expect(model.search == .idle)
    _ = await source.demand { $0.fixes == .off }
  }

  @Test func searchWithoutAnyLocationEndsAfterThirtySeconds() async {
    let manager = manager()
    let model = FenceHereModel(manager)
    let search = Task { await model.toggleSearch() }
    _ = await source.demand { $0.fixes != .off }
    await clock.advance(by: .seconds(30))
    await search.value
    #expect(model.statusLine == "No location found. Go where the sky can be seen.")
  }

  @Test func fenceNeedsALocation() async {
    let model = FenceHereModel(manager())
    await model.fenceHere()
    #expect(model.message == "There is no location yet. Tap start first." && model.fences.isEmpty)
  }

  @Test func fenceIsNotMadeAroundAnOldOrCoarseLocation() async {
    let model = FenceHereModel(manager())
    let search = Task { await model.toggleSearch() }
    _ = await source.demand { $0.fixes != .off }
    await source.emit(fix(0, accuracy: 8))
    await search.value
    await clock.advance(by: .seconds(31))
    await model.fenceHere()
    let refusal = "The location is too old or not accurate enough. Tap start again."
    #expect(model.message == refusal && model.fences.isEmpty)
    await source.emit(fix(500, accuracy: 60, at: 32))
    await model.fenceHere()
    #expect(model.message == refusal && model.fences.isEmpty)
    await source.emit(fix(505, accuracy: 8, at: 33))
    await model.fenceHere()
    #expect(model.message == nil && model.fences == ["Fence 1"])
  }

  @Test func fenceWithoutPermissionNamesTheRemedy() async {
    let model = FenceHereModel(manager())
    await source.emit(Authorization(.denied, remedy: "Allow it in the settings."))
    await model.fenceHere()
    #expect(model.message == "Allow it in the settings." && model.fences.isEmpty)
  }

  @Test func reasonWhyFencesAreNotWatchedIsShown() async {
    let model = FenceHereModel(manager())
    let running = Task { await model.run() }
    await source.emit(.unavailable(SourceProblem(.noPosition, message: "see the sky")))
    await wait(model) { $0.warning == "Fences are not watched for now. Could not see the sky." }
    await source.emit(fix(0, accuracy: 8))
    await wait(model) { $0.warning == nil }
    await source.emit(Authorization(.denied, remedy: "Allow it in the settings."))
    await wait(model) { $0.warning == "Fences are not watched. Allow it in the settings." }
    // iOS asks again from time to time whether always should stay.
    await source.emit(Authorization(.whenInUse))
    await wait(model) {
      $0.warning == "Fences are watched only while the app is open. Allow location always."
    }
    await source.emit(Authorization(.always, accuracy: .reduced, remedy: "Switch precise location on."))
    await wait(model) { $0.warning == "Fences are noticed late, if at all. Switch precise location on." }
    await source.emit(Authorization(.always))
    await wait(model) { $0.warning == nil }
    running.cancel()
    await running.value
  }

  @Test func exitsAreShownTheNewestFirstAndByLaterLaunches() async throws {
    let manager = manager()
    let model = FenceHereModel(manager)
    let running = Task { await model.run() }
    let search = Task { await model.toggleSearch() }
    _ = await source.demand { $0.fixes != .off }
    await source.emit(fix(0, accuracy: 5))
    await search.value
    await model.fenceHere()
    await model.fenceHere()
    #expect(model.fences == ["Fence 1", "Fence 2"] && model.message == nil)
    await drive(source, from: 0)
    await wait(model) { $0.exits.count == 2 && $0.fences.isEmpty }
    #expect(Set(model.exits.map(\.fence)) == ["Fence 1", "Fence 2"])
    #expect(model.exits[0].id > model.exits[1].id)
    #expect(model.reasons.contains { $0.hasPrefix("Fences: ") })
    await model.fenceHere()
    #expect(model.fences == ["Fence 3"])
    running.cancel()
    await running.value
    // Another launch shows the fences and the exits again.
    let again = FenceHereModel(
      LocationManager(source: ScriptedSource(), clock: clock.managerClock, store: store))
    let runningAgain = Task { await again.run() }
    await wait(again) { $0.fences == ["Fence 3"] && $0.exits.count == 2 }
    #expect(again.exits == model.exits)
    await again.remove("Fence 3")
    #expect(again.fences.isEmpty)
    runningAgain.cancel()
    await runningAgain.value
  }

  /// Moves the device 300 m away in a minute, with a fix each second.
  private func drive(_ source: ScriptedSource, from start: Int) async {
    for second in start + 1...start + 60 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(Double(second) * 5, accuracy: 5, at: Double(second)))
    }
  }

  @MainActor private final class Notices {
    var all: [String] = []
  }

  /// Waits until the notifications of all stored exits are acknowledged.
  private func waitForAcknowledgement() async throws {
    let records = try await store.fenceRecords(of: .this, after: 0, limit: 100)
    let last = records.last { if case .removed = $0.record { true } else { false } }
    let number = try #require(last).number
    while try await store.cursor(of: "notifications", device: .this) < number { await Task.yield() }
  }

  @Test func personIsNotifiedOnceOfEachExitAlsoByALaterLaunch() async throws {
    let notices = Notices()
    // The first process ends before it has notified anybody.
    let first = FenceHereModel(manager()) { _, _ in Issue.record("nobody follows the exits yet") }
    await source.emit(fix(0, accuracy: 5))
    await first.fenceHere()
    await drive(source, from: 0)
    let next = ScriptedSource()
    let model = FenceHereModel(
      LocationManager(source: next, clock: clock.managerClock, store: store)
    ) { _, text in notices.all.append(text) }
    let running = Task { await model.run() }
    await wait(model) { !$0.exits.isEmpty && !notices.all.isEmpty }
    await clock.advance(by: .seconds(1))
    await next.emit(fix(305, accuracy: 5, at: 61))
    await model.fenceHere()
    #expect(model.fences == ["Fence 2"])
    await drive(next, from: 61)
    await wait(model) { $0.exits.count == 2 && $0.fences.isEmpty }
    try await waitForAcknowledgement()
    #expect(notices.all == ["You have left Fence 1.", "You have left Fence 2."])
    running.cancel()
    await running.value
    let last = FenceHereModel(
      LocationManager(source: ScriptedSource(), clock: clock.managerClock, store: store)
    ) { _, text in notices.all.append(text) }
    let runningLast = Task { await last.run() }
    await wait(last) { $0.exits.count == 2 }
    #expect(notices.all.count == 2)
    runningLast.cancel()
    await runningLast.value
    withExtendedLifetime(first) {}
  }

  @Test func personIsNotifiedThatFencesAreNotWatched() async {
    let notices = Notices()
    let model = FenceHereModel(manager()) { _, text in notices.all.append(text) }
    let running = Task { await model.run() }
    // The model may not listen yet, and changes of before are not reported.
    while notices.all.isEmpty {
      await source.emit(.unavailable(SourceProblem(.noPosition, message: "see the sky")))
      await source.emit(Authorization(.denied, remedy: "Allow it in the settings."))
      await source.emit(Authorization(.always))
      await Task.yield()
    }
    #expect(Set(notices.all) == ["Fences are not watched. Allow it in the settings."])
    running.cancel()
    await running.value
  }
}
