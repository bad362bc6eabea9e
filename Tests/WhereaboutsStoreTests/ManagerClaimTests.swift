import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsStore

/// Claims: one manager commits for each device.
@Suite(.timeLimit(.minutes(10))) struct ManagerClaimTests {
  private func store(_ folder: TemporaryFolder) throws -> SQLiteStore {
    var settings = StoreSettings()
    settings.openTimeout = .milliseconds(50)
    return try SQLiteStore.open(at: folder.file, settings: settings)
  }

  private func makeManager(_ store: SQLiteStore, device: DeviceID = .this) -> LocationManager {
    LocationManager(
      source: ScriptedSource(), clock: StepClock(wall: t(0)).managerClock, store: store, device: device)
  }

  /// Returns the first expected state of a manager.
  private func health(
    of manager: LocationManager, _ isExpected: (StoreHealth) -> Bool
  ) async throws -> StoreHealth {
    await manager.waitUntilProcessed()
    for await health in manager.storeHealth where isExpected(health) { return health }
    throw InvalidPlaceError()
  }

  private func isRefused(_ health: StoreHealth) -> Bool {
    if case .unusable(let problem) = health { problem.code == .locked } else { false }
  }

  @Test(arguments: [true, false])
  func secondManagerOfADeviceIsRefused(isSameStore: Bool) async throws {
    let folder = try TemporaryFolder(), first = try store(folder),
      other = isSameStore ? first : try store(folder)
    let manager = makeManager(first)
    #expect(try await health(of: manager) { _ in true } == .working)
    let second = self.makeManager(other)
    let refused = try await health(of: second, isRefused)
    guard case .unusable(let problem) = refused else { return }
    #expect(problem.message.contains("end that first"))
    // Another device can be claimed.
    let third = self.makeManager(other, device: "other")
    #expect(try await health(of: third) { _ in true } == .working)
    withExtendedLifetime(manager) {}
  }

  @Test func refusalNamesTheProgramOfTheManager() async throws {
    let folder = try TemporaryFolder(), first = try store(folder), other = try store(folder)
    let claim = try await first.claim(.this, forManagerOf: "whereabouts serve")
    do throws(StoreError) {
      _ = try await other.claim(.this)
      Issue.record("the device has two managers")
    } catch {
      #expect(error.code == .locked && error.message.contains("(whereabouts serve) uses it"), "\(error)")
    }
    withExtendedLifetime(claim) {}
  }

  /// A manager that has saved goes on, and no other one may write beside it.
  @Test func savingKeepsTheClaim() async throws {
    let folder = try TemporaryFolder(), store = try store(folder)
    let manager = makeManager(store)
    #expect(try await health(of: manager) { _ in true } == .working)
    #expect(await manager.save() == .working)
    let second = self.makeManager(store)
    #expect(isRefused(try await health(of: second, isRefused)))
    await manager.close()
    let third = self.makeManager(store)
    #expect(try await health(of: third) { $0 != .none } == .working)
    withExtendedLifetime(manager) {}
  }

  @Test func managerUsesTheClaimOfItsProgram() async throws {
    let folder = try TemporaryFolder(), store = try store(folder)
    let claim = try store.claim(.this, as: "a program")
    let manager = makeManager(store)
    #expect(try await health(of: manager) { _ in true } == .working)
    let second = self.makeManager(store)
    #expect(isRefused(try await health(of: second, isRefused)))
    withExtendedLifetime((claim, manager)) {}
  }

  @Test func nextManagerClaimsAfterTheFirstEnds() async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.openTimeout = .seconds(600)
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    for _ in 0..<3 {
      let manager = makeManager(store)
      #expect(try await health(of: manager) { $0 != .none } == .working)
    }
  }

  @Test func closingTheStoreReleasesItsClaims() async throws {
    let folder = try TemporaryFolder(), first = try store(folder)
    let manager = makeManager(first)
    #expect(try await health(of: manager) { $0 != .none } == .working)
    first.close()
    let second = self.makeManager(try store(folder))
    #expect(try await health(of: second) { $0 != .none } == .working)
    withExtendedLifetime(manager) {}
  }
}
