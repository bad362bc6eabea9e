import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

/// A watch over fences: tells what happens, takes over what others change in the store, and says what keeps events from
/// coming.
actor FenceSession {
  /// How often it looks whether somebody has changed the fences.
  private static let look = Duration.milliseconds(500)

  private let manager: LocationManager
  private let store: OpenStore?
  private let voice: FenceVoice
  /// What was told until now, and may have to be revoked.
  private var events: ToldEvents
  /// Until which note some may have been told before.
  private let mayBeTold: UInt64
  private var running: [Task<Void, Never>] = []
  private var isStopped = false
  private var end = FollowingSession.End()

  /// What was told by the processes before.
  struct Before: Sendable {
    var events = ToldEvents()
    /// The number of the last note; 0 where there is none.
    var last: UInt64 = 0
  }

  /// - Parameter store: whose fences they are; `nil` where nothing is kept.
  init(manager: LocationManager, store: OpenStore?, before: Before, voice: FenceVoice) {
    self.manager = manager
    self.store = store
    self.voice = voice
    events = before.events
    mayBeTold = before.last
  }

  /// Goes on until the source is over or ``stop()`` was called.
  func run() async -> FollowingSession.End {
    let deliveries = manager.fences.deliveries(to: FenceVoice.consumer)
    let telling = Task { for await delivery in deliveries { await self.take(delivery) } }
    let looking = Task { await self.takeEdits() }
    running = [telling, looking]
    if isStopped { stop() }
    await telling.value
    looking.cancel()
    await looking.value
    return end
  }

  /// Ends it.
  func stop() {
    isStopped = true
    for task in running { task.cancel() }
  }

  // MARK: What comes

  private func take(_ delivery: FenceDelivery) async {
    guard !isStopped else { return }
    do {
      switch delivery.update {
      case .event(let event): try tell(.event(event), delivery)
      case .revised(let id, let event): try tell(.revised(id, event), delivery)
      // Whether it is kept is told by what follows every command that keeps.
      case .removed, .notKept, .keptAgain: break
      case .trouble(let trouble): try LiveLines.report(trouble)
      case .authorization(let authorization): try LiveLines.report(authorization)
      }
      if let number = delivery.number { await acknowledge(number) }
    } catch is OutputFile.ReaderGone {
      stop()
    } catch {
      end.failure = error as? CommandFailure ?? CommandFailure("\(error)")
      stop()
    }
  }

  private func tell(_ note: FenceNote, _ delivery: FenceDelivery) throws {
    let isAgain = delivery.number.map { $0 <= mayBeTold } ?? false
    guard let event = events.event(of: note, isAgain: isAgain) else { return }
    try voice.tell(event)
    end.shown += 1
  }

  private func acknowledge(_ number: UInt64) async {
    // What can't be kept is told again by the next process, marked.
    try? await manager.fences.acknowledge(through: number, by: FenceVoice.consumer)
  }

  // MARK: The store

  /// Takes over what others change in the store.
  private func takeEdits() async {
    guard let store else { return }
    // The manager has taken over by then what was done before it was there.
    _ = await manager.fences.count
    var version: Int64?
    var last: UInt64 = 0
    while !Task.isCancelled {
      do {
        let now = try store.base.dataVersion
        if now != version {
          let edits = try store.base.edits(of: store.device, after: last)
          try await manager.fences.apply(edits)
          last = edits.last?.number ?? last
          version = now
        }
      } catch is FenceFailure {
        // What can't be kept is told by the manager, and kept with what comes next.
      } catch {
        // A store that can't be read for now is looked at again.
      }
      do { try await Task.sleep(for: Self.look) } catch { return }
    }
  }
}
