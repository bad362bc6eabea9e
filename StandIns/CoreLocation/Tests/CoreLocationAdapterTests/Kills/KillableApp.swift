#if APPLE_IOS
  @_spi(Simulation) import CoreLocation
  import Foundation
  import GRDB
  import Whereabouts
  import WhereaboutsStore
  import WhereaboutsTesting

  @testable import CoreLocationAdapter

  /// An app with a manager over Core Location and a store in a file, which is killed and launched again.
  ///
  /// The processes share a device, a file and the app's memory. A process of this test can't be killed alone, so a killed
  /// app goes on with the file's bytes of that moment: the next process opens a copy, and what the old one does
  /// afterwards reaches neither the device, nor the copy, nor the memory.
  final class KillableApp: @unchecked Sendable {
    /// A process of the app.
    struct Process: Sendable {
      let number: Int
      let launched: Date
      let clock: StepClock
      let source: CountingSource
      let manager: LocationManager
      fileprivate let store: SQLiteStore
      fileprivate let listening: Task<Void, Never>
    }

    private static let consumer = "app"

    let device: SimulatedDevice
    let memory: AppMemory
    private let folder: URL
    private let lock = NSLock()
    private var running: Process?
    private var launchCount = 0
    /// The process whose file the next one opens.
    private var next = 1
    private var launchErrors: [any Error] = []

    init() throws {
      device = SimulatedDevice(infoKeys: DeviceScene.allKeys, now: start)
      device.setStatus(.authorizedAlways)
      memory = AppMemory(device)
      folder = FileManager.default.temporaryDirectory.appending(path: "killed-app-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      device.whenLaunching { [weak self] in self?.launch() }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The process that runs, if any.
    var process: Process? { lock.withLock { running } }
    /// The launches so far.
    var launches: Int { lock.withLock { launchCount } }
    var errors: [any Error] { lock.withLock { launchErrors } }

    private func file(_ number: Int) -> URL { folder.appending(path: "\(number)/store.sqlite") }

    /// Launches the app, which makes its source and its manager at once.
    func launch() {
      let number = lock.withLock {
        launchCount += 1
        return next
      }
      do {
        let process = try makeProcess(number)
        lock.withLock { running = process }
      } catch {
        lock.withLock { launchErrors.append(error) }
      }
    }

    private func makeProcess(_ number: Int) throws -> Process {
      let clock = StepClock(wall: UTCTime(secondsSince1970: device.now.timeIntervalSince1970))
      let source = CountingSource(
        CoreLocationSource(
          on: device, keys: DeviceScene.allKeys, modes: [], highest: .always, clock: SessionClock(clock)))
      let store = try SQLiteStore.open(at: file(number).path)
      let manager = LocationManager(
        source: source, clock: clock.managerClock, settings: ManagerSettings(authorizationPrompt: .never),
        store: store)
      let session = memory.beginProcess()
      let listening = Task { [memory] in
        for await update in manager.fences.updates(for: Self.consumer) {
          guard case .record(let record) = update, memory.note(record, in: session) else { continue }
          guard (try? await manager.fences.acknowledge(through: record.number, by: Self.consumer)) != nil
          else { continue }
          memory.noteAcknowledgement(of: record.number, in: session)
        }
      }
      return Process(
        number: number, launched: device.now, clock: clock, source: source, manager: manager, store: store,
        listening: listening)
    }

    /// Kills the app: nothing is stopped, ended or saved.
    func kill() throws {
      guard let process else { return }
      device.kill()
      memory.endProcess()
      try copyStore(of: process.number)
      lock.withLock {
        running = nil
        next = process.number + 1
      }
      // From here on nobody hears of the old process.
      process.listening.cancel()
      if process.number > 2 {
        try? FileManager.default.removeItem(at: file(process.number - 2).deletingLastPathComponent())
      }
    }

    /// Copies the file and its log as they are.
    private func copyStore(of number: Int) throws {
      let old = file(number), new = file(number + 1)
      try FileManager.default.createDirectory(
        at: new.deletingLastPathComponent(), withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.readonly = true
      // While somebody reads, no checkpoint replaces what the log has.
      try DatabaseQueue(path: old.path, configuration: configuration).read { database in
        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM fix")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: old.path + suffix) {
          try FileManager.default.copyItem(atPath: old.path + suffix, toPath: new.path + suffix)
        }
      }
    }

    /// The fence records of the file that the next process opens.
    func storedRecords() async throws -> [NumberedFenceRecord] {
      let store = try SQLiteStore.open(at: file(lock.withLock { next }).path)
      return try await store.fenceRecords(of: .this, after: 0, limit: 1_000_000)
    }
  }
#endif
