#if GeoClue && os(Linux)
  public import Whereabouts
  import WhereaboutsModel

  /// A source over GeoClue 2, the Linux desktop's location service.
  ///
  /// The source requests no more than the demand needs. ``GeoClueAccuracy/init(enoughFor:)`` gives the level of
  /// accuracy; the demand gives the distance and time thresholds. Without demand the source has no connection to the
  /// bus, and the service switches its receivers off. The source waits for a service or bus that stops and starts
  /// again.
  ///
  /// Fixes may be older than their arrival, so their time gives their age. Values that the service does not state, or
  /// states as a meaningless number, are left out. An accuracy of 0, 1 or 3 m is a class of dilution and becomes 5,
  /// 10 or 25 m, marked as estimated. Speed and course are used from satellites only, because the service derives
  /// others from the errors of two positions. The service states no probability for other accuracies, which are
  /// passed on as 68 %.
  ///
  /// A refusal, and an agent that is missing or waits for an answer, is
  /// ``Whereabouts/SourceSignal/authorization(_:)`` with a remedy. No position is
  /// ``Whereabouts/SourceProblem/Code/noPosition`` after ``GeoClueSettings/positionTimeout``. This source never has
  /// headings.
  public struct GeoClueSource: LocationSource {
    private let settings: GeoClueSettings

    /// Creates a source with these settings.
    public init(_ settings: GeoClueSettings) {
      self.settings = settings
    }

    /// Runs until the task is cancelled.
    public func run(_ link: SourceLink) async {
      let (inbox, mail) = AsyncStream.makeStream(of: SessionInput.self)
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          for await demand in link.demands { mail.yield(.event(.demand(demand))) }
        }
        tasks.addTask {
          var shell = GeoClueSessionRunner(settings, link, mail)
          for await letter in inbox { await shell.process(letter) }
          shell.stop()
        }
        // The demands end with the manager, which cancels.
        await tasks.next()
        tasks.cancelAll()
        mail.finish()
      }
    }
  }

  /// An input of a session.
  private enum SessionInput: Sendable {
    case event(GeoClueSession.Event)
    /// An event of the connection with this number.
    case bus(BusConnection.Event, connection: Int)
  }

  /// A runner that carries out a session's effects: the connection, the calls and the timer.
  private struct GeoClueSessionRunner {
    private var session: GeoClueSession
    private let settings: GeoClueSettings
    private let link: SourceLink
    private let inputs: AsyncStream<SessionInput>.Continuation
    private let clock = ContinuousClock()
    /// The start of the session's time, which does not count the processing of its signals: what arrives meanwhile
    /// waits, and the service is not silent.
    private var startedAt: ContinuousClock.Instant
    private var connection: BusConnection?
    /// The number of connections so far: events of earlier ones are ignored.
    private var connections = 0
    /// The pending calls on this connection, by number.
    private var pendingCalls: [Int: GeoClueSession.PendingCall] = [:]
    private var callCount = 0
    private var timer: Task<Void, Never>?
    private var timerDeadline: Instant?

    init(_ settings: GeoClueSettings, _ link: SourceLink, _ mail: AsyncStream<SessionInput>.Continuation) {
      session = GeoClueSession(settings)
      self.settings = settings
      self.link = link
      self.inputs = mail
      startedAt = clock.now
    }

    mutating func process(_ letter: SessionInput) async {
      guard let event = event(letter) else { return }
      if case .timerFired = event { timerDeadline = nil }
      for effect in session.handle(event, at: Instant(startedAt.duration(to: clock.now))) {
        switch effect {
        case .connect: connect()
        case .disconnect: disconnect()
        case .call(let call, let question): send(call, question)
        case .emit(let signal):
          let began = clock.now
          await link.send(signal)
          startedAt = startedAt.advanced(by: began.duration(to: clock.now))
        }
      }
      setTimer()
    }

    mutating func stop() {
      disconnect()
      timer?.cancel()
    }

    private mutating func event(_ letter: SessionInput) -> GeoClueSession.Event? {
      switch letter {
      case .event(let event): return event
      case .bus(let event, connections):
        switch event {
        case .signal(let signal): return .signal(signal)
        case .reply(let number, let result):
          return pendingCalls.removeValue(forKey: number).map { .reply($0, result) }
        case .lost(let failure):
          disconnect()
          return .lost(failure)
        }
      case .bus: return nil
      }
    }

    private mutating func connect() {
      disconnect()
      connections += 1
      connection = BusConnection(address: settings.busAddress, matches: GeoClueBusNames.matchRules) {
        [inputs, connections] event in
        inputs.yield(.bus(event, connection: connections))
      }
    }

    private mutating func disconnect() {
      connection?.close()
      connection = nil
      pendingCalls.removeAll()
    }

    private mutating func send(_ call: BusCall, _ question: GeoClueSession.PendingCall?) {
      guard let question else { return connection?.call(call) ?? () }
      callCount += 1
      pendingCalls[callCount] = question
      connection?.call(call, number: callCount)
    }

    private mutating func setTimer() {
      guard timerDeadline != session.nextWake || session.nextWake == nil else { return }
      timer?.cancel()
      timerDeadline = session.nextWake
      timer = session.nextWake.map { due in
        Task { [inputs, clock, until = startedAt.advanced(by: due.since(.start))] in
          try? await clock.sleep(until: until)
          if !Task.isCancelled { inputs.yield(.event(.timerFired)) }
        }
      }
    }
  }
#endif
