import Atomics
public import Whereabouts
import WhereaboutsCore

/// Whatever receiver is plugged into this computer, now or later.
///
/// The devices that ``ReceiverPort/attached()`` names are asked in that order, each as ``ReceiverSource`` does, the next
/// where one does not deliver. While none does it is looked every second whether others have come; after ten minutes
/// every ten seconds. With no demand nothing is open and nothing wakes up.
public struct AttachedReceiverSource: LocationSource {
  private static let look = Duration.seconds(1)
  private static let patientLook = Duration.seconds(10)
  private static let eagerLooks = 600
  private static let nothing = SourceTrouble(
    .noReceiver, message: "find a receiver that is plugged in",
    remedy: "Plug one in, or name its device: --source nmea:/dev/ttyACM0.")

  private let find: @Sendable () -> [ReceiverPort]

  /// Whatever is plugged in.
  public init() { self.init { ReceiverPort.attached() } }

  /// As ``init()``, over what is found in another way.
  init(find: @escaping @Sendable () -> [ReceiverPort]) { self.find = find }

  /// Runs until the task is cancelled.
  public func run(_ link: SourceLink) async {
    var serving: Task<Void, Never>?
    var present = Demand.off
    for await demand in link.demands {
      // Receivers send what they send: only headings are worth opening them again.
      let goesOn =
        demand != .off && present != .off && demand != present
        && (demand.headings == nil) == (present.headings == nil)
      present = demand
      if goesOn { continue }
      serving?.cancel()
      await serving?.value
      serving = demand == .off ? nil : Task { await self.serve(demand, link) }
    }
    serving?.cancel()
    await serving?.value
  }

  /// Looks for receivers and lets them deliver, until it is cancelled.
  private func serve(_ demand: Demand, _ link: SourceLink) async {
    var looks = 0
    while !Task.isCancelled {
      let ports = find()
      if ports.isEmpty {
        await link.send(.unavailable(Self.nothing))
        looks += 1
        try? await Task.sleep(for: looks > Self.eagerLooks ? Self.patientLook : Self.look)
      } else {
        await deliver(from: ports, demand, link)
        looks = 0
      }
    }
  }

  /// Lets some receivers deliver, until there are others and none of these does.
  private func deliver(from ports: [ReceiverPort], _ demand: Demand, _ link: SourceLink) async {
    let members = ports.map {
      FailoverSource.Member(Failover.Member(name: "nmea:\($0)"), ReceiverSource($0))
    }
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    demandsIn.yield(demand)
    let hasDelivered = ManagedAtomic(false)
    let inner = SourceLink(demands: demands, questions: link.questions, background: link.background) {
      signal, _ in
      // To whoever asks they are one source; which device it is stands in the troubles.
      guard let signal else { return EngineStatus(demand: demand) }
      if case .sources = signal { return EngineStatus(demand: demand) }
      if case .fix = signal { hasDelivered.store(true, ordering: .relaxed) }
      return await link.send(signal)
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await FailoverSource(members).run(inner) }
      group.addTask {
        // A device that is gone is waited for as long as there is no other.
        while (try? await Task.sleep(for: Self.look)) != nil {
          if hasDelivered.exchange(false, ordering: .relaxed) { continue }
          let now = self.find()
          if now != ports, !now.isEmpty { return }
        }
      }
      await group.next()
      group.cancelAll()
      demandsIn.finish()
    }
  }
}
