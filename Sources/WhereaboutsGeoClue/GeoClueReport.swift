public import WhereaboutsCore

/// What can be told about the desktop's location service without asking it where the device is.
///
/// The service does not tell its version.
public struct GeoClueReport: Hashable, Sendable {
  /// Why the bus, or the service on it, can't be used; `nil` where it can.
  public var trouble: SourceTrouble?
  /// Whether the system's message bus can be reached.
  public var hasBus = false
  /// Whether the bus would start the service for whoever needs it: it is installed.
  public var canBeStarted = false
  /// Whether the service ran before anybody asked it.
  public var wasRunning = false
  /// The best level that the service has something for; ``GeoClueAccuracy/none`` where location is switched off too.
  /// `nil` where it did not say.
  public var available: GeoClueAccuracy?
  /// Whether some program uses it; `nil` where it did not say.
  public var isInUse: Bool?
  /// Whether an agent of this user runs, which can ask the person; `nil` where that could not be told.
  ///
  /// Told by whether the service lets this program in, which it does when there is one. Whether the agent, or the
  /// service's configuration, would allow this program to know where the device is, only using it can tell.
  public var hasAgent: Bool?

  /// Nothing is known yet.
  public init() {}
}

#if GeoClue && os(Linux)
  extension GeoClueReport {
    /// Looks at the service. No receiver is switched on, and nobody is asked for permission.
    ///
    /// - Parameters:
    ///   - settings: as for the source.
    ///   - startsService: whether the bus may start the service, without which little can be told of it.
    ///   - patience: how long all of it may take.
    public static func probe(
      _ settings: GeoClueSettings, startsService: Bool = true, patience: Duration = .seconds(3)
    ) async -> GeoClueReport {
      var talk = BusTalk(address: settings.busAddress, patience: patience)
      defer { talk.end() }
      var report = GeoClueReport()
      await report.lookAtBus(&talk)
      guard report.hasBus else { return report }
      guard report.wasRunning || report.canBeStarted else {
        report.trouble = ServiceTrouble.notInstalled()
        return report
      }
      if report.wasRunning || startsService { await report.lookAtService(&talk) }
      return report
    }

    private mutating func lookAtBus(_ talk: inout BusTalk) async {
      let name = BusValue.text(ServiceName.service)
      switch await talk.ask(.ofBus("NameHasOwner", [name])) {
      case .failure(let failure): trouble = ServiceTrouble.unreachableBus(failure)
      case .success(let reply):
        hasBus = true
        wasRunning = reply.values.first?.asBool ?? false
      }
      guard hasBus, case .success(let reply) = await talk.ask(.ofBus("ListActivatableNames")),
        case .array(_, let names)? = reply.values.first
      else { return }
      canBeStarted = names.contains(name)
    }

    private mutating func lookAtService(_ talk: inout BusTalk) async {
      let properties = BusCall.properties(
        of: ServiceName.manager, at: ServiceName.managerPath, on: ServiceName.service, mayStart: true)
      switch await talk.ask(properties) {
      case .failure(let failure):
        trouble = failure.isUnknownService ? ServiceTrouble.notInstalled() : ServiceTrouble.failing(failure)
        return
      case .success(let reply):
        let properties = reply.values.first?.properties
        available = (properties?["AvailableAccuracyLevel"]?.asNumber).flatMap {
          GeoClueAccuracy(rawValue: UInt32(clamping: $0))
        }
        isInUse = properties?["InUse"]?.asBool
      }
      // The client goes with the connection.
      let client = BusCall(
        "GetClient", of: ServiceName.manager, at: ServiceName.managerPath, on: ServiceName.service,
        timeout: .seconds(1))
      switch await talk.ask(client) {
      case .success: hasAgent = true
      case .failure(let failure) where failure.isTimeout: hasAgent = false
      case .failure: break
      }
    }
  }

  /// Asks one thing after the other.
  private struct BusTalk {
    private let connection: BusConnection
    private var events: AsyncStream<BusConnection.Event>.Iterator
    private let timer: Task<Void, Never>
    private var asked = 0
    private var lost: BusFailure?

    init(address: String?, patience: Duration) {
      let (events, mail) = AsyncStream.makeStream(of: BusConnection.Event.self)
      self.events = events.makeAsyncIterator()
      connection = BusConnection(address: address, matches: []) { mail.yield($0) }
      timer = Task {
        guard (try? await Task.sleep(for: patience)) != nil else { return }
        mail.yield(.lost(BusFailure("org.freedesktop.DBus.Error.NoReply", "no answer in time")))
      }
    }

    mutating func ask(_ call: BusCall) async -> Result<BusReply, BusFailure> {
      if let lost { return .failure(lost) }
      asked += 1
      connection.call(call, number: asked)
      while let event = await events.next() {
        switch event {
        case .reply(asked, let result): return result
        case .lost(let failure):
          lost = failure
          return .failure(failure)
        case .reply, .signal: continue
        }
      }
      return .failure(BusFailure("cancelled", "cancelled"))
    }

    func end() {
      timer.cancel()
      connection.close()
    }
  }
#endif
