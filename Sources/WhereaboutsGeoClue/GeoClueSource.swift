#if GeoClue && os(Linux)
  public import Whereabouts
  import WhereaboutsCore

  /// The Linux desktop's location service, GeoClue 2, as a source.
  ///
  /// It asks for as much as is needed and no more: the level of accuracy by ``GeoClueAccuracy/init(enoughFor:)``, the
  /// least movement and the least time between two positions from the demand. While nothing is needed it has no
  /// connection to the bus, and the service switches its receivers off. A service that stops or starts, and a bus that
  /// goes away, are waited for.
  ///
  /// Its fixes may have been made before they come, so their age is told by their time. What the service does not state,
  /// or states as a number that means nothing, is left out: an accuracy of 0, 1 or 3 m is a class of dilution and
  /// becomes 5, 10 or 25 m, marked as estimated; speed and course are taken from satellites only, because the service
  /// makes up others from the errors of two positions. Of other accuracies it does not say how often they hold; they are
  /// passed on as if it were 68 %.
  ///
  /// A refusal, and an agent that is missing or has not been answered, is ``Whereabouts/SourceSignal/authorization(_:)``
  /// with a remedy; no position ever is ``Whereabouts/SourceTrouble/Code/noPosition`` after
  /// ``GeoClueSettings/positionPatience``. It never has headings.
  public struct GeoClueSource: LocationSource {
    private let settings: GeoClueSettings

    /// A source that presents itself like this.
    public init(_ settings: GeoClueSettings) {
      self.settings = settings
    }

    /// Runs until the task is cancelled.
    public func run(_ link: SourceLink) async {
      let (inbox, mail) = AsyncStream.makeStream(of: Mail.self)
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          for await demand in link.demands { mail.yield(.event(.demand(demand))) }
        }
        tasks.addTask {
          var shell = ServiceShell(settings, link, mail)
          for await letter in inbox { await shell.take(letter) }
          shell.end()
        }
        // The demands end with the manager, which cancels.
        await tasks.next()
        tasks.cancelAll()
        mail.finish()
      }
    }
  }

  /// What comes in for a session.
  private enum Mail: Sendable {
    case event(ServiceSession.Event)
    /// What came of the connection of that number.
    case bus(BusConnection.Event, connection: Int)
  }

  /// Carries out what a session wants: has its connection, its questions and its clock.
  private struct ServiceShell {
    private var session: ServiceSession
    private let settings: GeoClueSettings
    private let link: SourceLink
    private let mail: AsyncStream<Mail>.Continuation
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var connection: BusConnection?
    /// How many connections there have been: what comes of earlier ones is not listened to.
    private var connections = 0
    /// The questions that are open on this connection, by number.
    private var questions: [Int: ServiceSession.Question] = [:]
    private var asked = 0
    private var timer: Task<Void, Never>?
    private var timerIsFor: Instant?

    init(_ settings: GeoClueSettings, _ link: SourceLink, _ mail: AsyncStream<Mail>.Continuation) {
      session = ServiceSession(settings)
      self.settings = settings
      self.link = link
      self.mail = mail
      began = clock.now
    }

    mutating func take(_ letter: Mail) async {
      guard let event = event(letter) else { return }
      if case .woke = event { timerIsFor = nil }
      for effect in session.handle(event, at: Instant(began.duration(to: clock.now))) {
        switch effect {
        case .connect: connect()
        case .disconnect: disconnect()
        case .call(let call, let question): ask(call, question)
        case .tell(let signal): await link.send(signal)
        }
      }
      setTimer()
    }

    mutating func end() {
      disconnect()
      timer?.cancel()
    }

    private mutating func event(_ letter: Mail) -> ServiceSession.Event? {
      switch letter {
      case .event(let event): return event
      case .bus(let event, connections):
        switch event {
        case .signal(let signal): return .signal(signal)
        case .reply(let number, let result):
          return questions.removeValue(forKey: number).map { .reply($0, result) }
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
      connection = BusConnection(address: settings.busAddress, matches: ServiceName.matches) {
        [mail, connections] event in
        mail.yield(.bus(event, connection: connections))
      }
    }

    private mutating func disconnect() {
      connection?.close()
      connection = nil
      questions.removeAll()
    }

    private mutating func ask(_ call: BusCall, _ question: ServiceSession.Question?) {
      guard let question else { return connection?.call(call) ?? () }
      asked += 1
      questions[asked] = question
      connection?.call(call, number: asked)
    }

    private mutating func setTimer() {
      guard timerIsFor != session.nextWake || session.nextWake == nil else { return }
      timer?.cancel()
      timerIsFor = session.nextWake
      timer = session.nextWake.map { due in
        Task { [mail, clock, until = began.advanced(by: due.since(.start))] in
          try? await clock.sleep(until: until)
          if !Task.isCancelled { mail.yield(.event(.woke)) }
        }
      }
    }
  }
#endif
