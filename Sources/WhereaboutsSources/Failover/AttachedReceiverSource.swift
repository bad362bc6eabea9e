import Atomics
public import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// A source over the receivers that are plugged into this computer, now or later.
///
/// The source tries the ports of ``ReceiverPort/attached()`` in that order, each with a ``ReceiverSource``. If one
/// port delivers nothing, the source tries the next. While no port delivers, the source looks for other ports every
/// second; without any port, every second for ten minutes, and then every ten seconds. Without demand the source
/// opens nothing and never wakes up.
public struct AttachedReceiverSource: LocationSource {
  private static let pollInterval = Duration.seconds(1)
  private static let slowPollInterval = Duration.seconds(10)
  private static let fastPollCount = 600
  private static let noReceiverProblem = SourceProblem(
    .noReceiver, message: "find a receiver that is plugged in",
    remedy: "Plug one in, or name its device: --source nmea:/dev/ttyACM0.")

  /// The reports of the receivers that outlive a demand or a search.
  private struct Reports: Sendable {
    /// Whether a failure or a denial was reported since the demand began, and no success since.
    let hasGivenUp = ManagedAtomic(false)
    /// Whether a denial was reported, and no permission since: the engine does not know the permission with the next
    /// demand.
    let isDenied = ManagedAtomic(false)
  }

  private let findPorts: @Sendable () -> [ReceiverPort]
  private let makeSource: @Sendable (ReceiverPort) -> any LocationSource

  /// Creates a source over all attached receivers.
  public init() { self.init(find: { ReceiverPort.attached() }) }

  /// Creates a source over the ports that a closure finds; otherwise as ``init()``.
  ///
  /// - Parameter makeSource: creates the source that reads a port.
  init(
    find: @escaping @Sendable () -> [ReceiverPort],
    makeSource: @escaping @Sendable (ReceiverPort) -> any LocationSource = { ReceiverSource($0) }
  ) {
    self.findPorts = find
    self.makeSource = makeSource
  }

  /// Runs until the task is cancelled.
  public func run(_ link: SourceLink) async {
    var serving: Task<Void, Never>?
    var present = Demand.off
    let reports = Reports()
    for await demand in link.demands {
      // Receivers send a fixed set of sentences: only a changed demand for headings requires another start, and a new
      // requester after a failure or a denial.
      let goesOn =
        demand != .off && present != .off && demand != present
        && (demand.headings == nil) == (present.headings == nil)
        && !reports.hasGivenUp.load(ordering: .relaxed)
      present = demand
      if goesOn { continue }
      serving?.cancel()
      await serving?.value
      reports.hasGivenUp.store(false, ordering: .relaxed)
      serving = demand == .off ? nil : Task { await self.serve(demand, link, reports) }
    }
    serving?.cancel()
    await serving?.value
  }

  /// Searches for receivers and reads them until the task is cancelled.
  private func serve(_ demand: Demand, _ link: SourceLink, _ reports: Reports) async {
    var looks = 0
    while !Task.isCancelled {
      let ports = findPorts()
      if ports.isEmpty {
        await link.send(.unavailable(Self.noReceiverProblem))
        looks += 1
        try? await Task.sleep(for: looks > Self.fastPollCount ? Self.slowPollInterval : Self.pollInterval)
      } else {
        await deliver(from: ports, demand, link, reports)
        looks = 0
      }
    }
  }

  /// Reads these ports until none of them delivers and other ports are attached.
  private func deliver(
    from ports: [ReceiverPort], _ demand: Demand, _ link: SourceLink, _ reports: Reports
  ) async {
    let members = ports.map {
      FailoverSource.Member(Failover.Member(name: "nmea:\($0)"), makeSource($0))
    }
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    demandsIn.yield(demand)
    let hasDelivered = ManagedAtomic(false)
    let inner = receiverLink(demands, demand, to: link, reports, hasDelivered)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await FailoverSource(members).run(inner) }
      group.addTask {
        // While there is no other device, the source waits for a device that was unplugged.
        while (try? await Task.sleep(for: Self.pollInterval)) != nil {
          if hasDelivered.exchange(false, ordering: .relaxed) { continue }
          let now = self.findPorts()
          if now != ports, !now.isEmpty { return }
        }
      }
      await group.next()
      group.cancelAll()
      demandsIn.finish()
    }
  }

  /// Returns a link of the receivers that passes their signals on as those of one source.
  private func receiverLink(
    _ demands: AsyncStream<Demand>, _ demand: Demand, to link: SourceLink, _ reports: Reports,
    _ hasDelivered: ManagedAtomic<Bool>
  ) -> SourceLink {
    SourceLink(
      demands: demands, authorizationRequests: link.authorizationRequests, background: link.background
    ) { signal, _ in
      // Requesters see one source; a problem's message names the device.
      guard let signal else { return SourceLink.Status(demand: demand) }
      switch signal {
      case .sources(let receivers):
        // A receiver that is reached is allowed, long before it has a fix.
        if receivers.contains(where: { $0.state == .ok || $0.state == .noFix }),
          reports.isDenied.exchange(false, ordering: .relaxed)
        {
          await link.send(.authorization(Authorization(.always)))
        }
        return SourceLink.Status(demand: demand)
      case .fix:
        hasDelivered.store(true, ordering: .relaxed)
        reports.hasGivenUp.store(false, ordering: .relaxed)
      case .failed: reports.hasGivenUp.store(true, ordering: .relaxed)
      case .authorization(let authorization):
        reports.hasGivenUp.store(authorization.isRefused, ordering: .relaxed)
        reports.isDenied.store(authorization.isRefused, ordering: .relaxed)
      default: break
      }
      return await link.send(signal)
    }
  }
}
