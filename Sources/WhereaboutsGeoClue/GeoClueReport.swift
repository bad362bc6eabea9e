public import WhereaboutsModel

/// A report on the desktop's location service, made without a request for the device's position.
///
/// The service does not state its version.
public struct GeoClueReport: Hashable, Sendable {
  /// The reason why the bus or the service can't be used; `nil` if usable.
  public var problem: SourceProblem?
  /// Whether the system's message bus can be reached.
  public var hasBus = false
  /// Whether the service is installed, so that the bus can start the service on demand.
  public var canBeStarted = false
  /// Whether the service ran before this check.
  public var wasRunning = false
  /// The best level for which the service has a source; ``GeoClueAccuracy/none`` if location is switched off too.
  /// `nil` if not stated.
  public var availableAccuracy: GeoClueAccuracy?
  /// Whether a program uses the service; `nil` if not stated.
  public var isInUse: Bool?
  /// Whether this user's agent runs, which can ask for permission; `nil` if unknown.
  ///
  /// The service accepts this program only if there is an agent. Only use of the service shows whether the agent, or
  /// the service's configuration, permits this program to know the position.
  public var hasAgent: Bool?

  /// Creates a report without any findings.
  public init() {}
}

#if GeoClue && os(Linux)
  extension GeoClueReport {
    /// The remedy for a missing agent; `nil` unless the agent is known to be missing.
    package var agentRemedy: String? { hasAgent == false ? GeoClueProblems.noAgent().remedy : nil }

    /// Checks the service. No receiver is switched on, and no permission is requested.
    ///
    /// - Parameters:
    ///   - settings: the settings, as for the source.
    ///   - startsService: whether the bus may start the service; otherwise the report has little about it.
    ///   - timeout: the timeout for the whole check.
    public static func probe(
      _ settings: GeoClueSettings, startsService: Bool = true, timeout: Duration = .seconds(3)
    ) async -> GeoClueReport {
      var talk = BusSession(address: settings.busAddress, timeout: timeout)
      defer { talk.end() }
      var report = GeoClueReport()
      await report.checkBus(&talk)
      guard report.hasBus else { return report }
      guard report.wasRunning || report.canBeStarted else {
        report.problem = GeoClueProblems.notInstalled()
        return report
      }
      if report.wasRunning || startsService { await report.checkService(&talk) }
      return report
    }

    private mutating func checkBus(_ talk: inout BusSession) async {
      let name = BusValue.text(GeoClueBusNames.service)
      switch await talk.call(.toBusDaemon("NameHasOwner", [name])) {
      case .failure(let failure): problem = GeoClueProblems.unreachableBus(failure)
      case .success(let reply):
        hasBus = true
        wasRunning = reply.values.first?.asBool ?? false
      }
      guard hasBus, case .success(let reply) = await talk.call(.toBusDaemon("ListActivatableNames")),
        case .array(_, let names)? = reply.values.first
      else { return }
      canBeStarted = names.contains(name)
    }

    private mutating func checkService(_ talk: inout BusSession) async {
      let properties = BusCall.properties(
        of: GeoClueBusNames.manager, at: GeoClueBusNames.managerPath, on: GeoClueBusNames.service,
        allowsAutoStart: true)
      switch await talk.call(properties) {
      case .failure(let failure):
        problem = failure.isUnknownService ? GeoClueProblems.notInstalled() : GeoClueProblems.failed(failure)
        return
      case .success(let reply):
        let properties = reply.values.first?.properties
        availableAccuracy = (properties?["AvailableAccuracyLevel"]?.asNumber).flatMap {
          GeoClueAccuracy(rawValue: UInt32(clamping: $0))
        }
        isInUse = properties?["InUse"]?.asBool
      }
      // The service removes the client with the connection.
      let client = BusCall(
        "GetClient", of: GeoClueBusNames.manager, at: GeoClueBusNames.managerPath,
        on: GeoClueBusNames.service,
        timeout: .seconds(1))
      switch await talk.call(client) {
      case .success: hasAgent = true
      case .failure(let failure) where failure.isTimeout: hasAgent = false
      case .failure: break
      }
    }
  }

  /// A sequence of calls, one after the other.
  private struct BusSession {
    private let connection: BusConnection
    private var events: AsyncStream<BusConnection.Event>.Iterator
    private let timer: Task<Void, Never>
    private var callCount = 0
    private var lost: DBusError?

    init(address: String?, timeout: Duration) {
      let (events, mail) = AsyncStream.makeStream(of: BusConnection.Event.self)
      self.events = events.makeAsyncIterator()
      connection = BusConnection(address: address, matches: []) { mail.yield($0) }
      timer = Task {
        guard (try? await Task.sleep(for: timeout)) != nil else { return }
        mail.yield(.lost(DBusError("org.freedesktop.DBus.Error.NoReply", "no answer in time")))
      }
    }

    mutating func call(_ call: BusCall) async -> Result<BusReply, DBusError> {
      if let lost { return .failure(lost) }
      callCount += 1
      connection.call(call, number: callCount)
      while let event = await events.next() {
        switch event {
        case .reply(callCount, let result): return result
        case .lost(let failure):
          lost = failure
          return .failure(failure)
        case .reply, .signal: continue
        }
      }
      return .failure(DBusError("cancelled", "cancelled"))
    }

    func end() {
      timer.cancel()
      connection.close()
    }
  }
#endif
