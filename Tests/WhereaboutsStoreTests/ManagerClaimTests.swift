import Testing
import Whereabouts
import WhereaboutsCore
import WhereaboutsTesting

@testable import WhereaboutsStore

/// Of each device one manager commits.
@Suite(.timeLimit(.minutes(2))) struct ManagerClaimTests {
  private func store(_ folder: Folder) throws -> SQLiteStore {
    var settings = StoreSettings()
    settings.openingPatience = .milliseconds(50)
    return try SQLiteStore.open(at: folder.file, settings: settings)
  }

  private func manager(_ store: SQLiteStore, device: DeviceID = .this) -> LocationManager {
    LocationManager(
      source: ScriptedSource(), clock: StepClock(wall: t(0)).managerClock, store: store, device: device)
  }

  /// The first of a manager's states that is expected.
  private func health(
    of manager: LocationManager, _ isExpected: (StoreHealth) -> Bool
  ) async throws -> StoreHealth {
    await manager.settled()
    for await health in manager.storeHealth where isExpected(health) { return health }
    throw NoPlace()
  }

  private func isRefused(_ health: StoreHealth) -> Bool {
    if case .unusable(let trouble) = health { trouble.code == .locked } else { false }
  }

  @Test(arguments: [true, false])
  func secondManagerOfADeviceIsRefused(isSameStore: Bool) async throws {
    let folder = try Folder(), first = try store(folder), other = isSameStore ? first : try store(folder)
    let manager = manager(first)
    #expect(try await health(of: manager) { _ in true } == .keeping)
    let second = self.manager(other)
    let refused = try await health(of: second, isRefused)
    guard case .unusable(let trouble) = refused else { return }
    #expect(trouble.message.contains("end that first"))
    // Another device is another matter.
    let third = self.manager(other, device: "other")
    #expect(try await health(of: third) { _ in true } == .keeping)
    withExtendedLifetime(manager) {}
  }

  @Test func managerUsesTheClaimOfItsProgram() async throws {
    let folder = try Folder(), store = try store(folder)
    let claim = try store.claim(.this, as: "a program")
    let manager = manager(store)
    #expect(try await health(of: manager) { _ in true } == .keeping)
    let second = self.manager(store)
    #expect(isRefused(try await health(of: second, isRefused)))
    withExtendedLifetime((claim, manager)) {}
  }

  @Test func nextManagerIsLetInWhenTheFirstHasEnded() async throws {
    let folder = try Folder()
    var settings = StoreSettings()
    settings.openingPatience = .seconds(60)
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    for _ in 0..<3 {
      let manager = manager(store)
      #expect(try await health(of: manager) { $0 != .none } == .keeping)
    }
  }

  @Test func closingTheStoreReleasesItsClaims() async throws {
    let folder = try Folder(), first = try store(folder)
    let manager = manager(first)
    #expect(try await health(of: manager) { $0 != .none } == .keeping)
    first.close()
    let second = self.manager(try store(folder))
    #expect(try await health(of: second) { $0 != .none } == .keeping)
    withExtendedLifetime(manager) {}
  }
}
