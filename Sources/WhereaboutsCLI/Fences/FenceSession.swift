import Whereabouts
import WhereaboutsCore

/// A watch over the fences of a store: keeps the store and the manager together, and says what keeps events from coming.
actor FenceSession {
  /// How often it looks whether somebody has changed the fences.
  private static let look = Duration.milliseconds(500)
  /// After how many looks it keeps where the device is.
  private static let keep = 10

  private let manager: LocationManager
  private let folder: FenceFolder
  /// The fences as they were last seen in the store.
  private var known: [Fence]
  private var version: System.FileVersion?
  private var running: [Task<Void, Never>] = []
  private var isStopped = false
  private var end = FollowingSession.End()

  /// - Parameter known: the fences that the manager was made with.
  init(manager: LocationManager, folder: FenceFolder, known: [Fence]) {
    self.manager = manager
    self.folder = folder
    self.known = known
    version = nil
  }

  /// Goes on until the source is over or ``stop()`` was called.
  func run() async -> FollowingSession.End {
    let updates = manager.fences.updates()
    let listening = Task { for await update in updates { self.take(update) } }
    let looking = Task { await self.lookNowAndThen() }
    running = [listening, looking]
    if isStopped { stop() }
    await listening.value
    looking.cancel()
    await looking.value
    await keepState()
    return end
  }

  /// Ends it.
  func stop() {
    isStopped = true
    for task in running { task.cancel() }
  }

  // MARK: What comes

  /// Events have been told when they come here.
  private func take(_ update: FenceUpdate) {
    do throws(CommandFailure) {
      switch update {
      case .event, .revised, .removed, .keptAgain: break
      case .trouble(let trouble): try LiveLines.report(trouble)
      case .authorization(let authorization): try LiveLines.report(authorization)
      case .notKept(let trouble):
        StandardError.say(
          "whereabouts: could not \(trouble.message); events are held back until it can be done")
      }
    } catch {
      end.failure = error
      stop()
    }
  }

  // MARK: The store

  private func lookNowAndThen() async {
    var looks = 0
    while !Task.isCancelled {
      await takeChanges()
      looks += 1
      if looks % Self.keep == 0 { await keepState() }
      do { try await Task.sleep(for: Self.look) } catch { return }
    }
  }

  /// Takes over what somebody has changed in the store.
  private func takeChanges() async {
    let now = System.version(atPath: folder.fences.path)
    guard now != version else { return }
    version = now
    do throws(CommandFailure) {
      let fences = try folder.readTelling()
      try await change(to: fences)
    } catch {
      StandardError.say("whereabouts: \(error.message); the fences stay as they were")
    }
  }

  private func change(to fences: [Fence]) async throws(CommandFailure) {
    let before = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    let there = Set(fences.map(\.id))
    known = fences
    do throws(FenceFailure) {
      for fence in fences where before[fence.id] != fence { try await manager.fences.update(fence) }
      for id in before.keys.sorted() where !there.contains(id) { try await manager.fences.remove(id) }
    } catch {
      // What can't be kept is told by the manager, and kept with what comes next.
    }
  }

  /// Has the manager keep where the device is: every change of the fences does that, and so does one that changes nothing.
  private func keepState() async {
    try? await manager.fences.update()
  }
}
