/// Answers where the device is: once, or as it moves.
///
/// Owns one engine and one source. Everything that happens goes through one inbox into the engine, in order; what the
/// engine decides is carried out by one loop. The source's receiver is on only while somebody needs it.
///
/// Any number of managers may live in a process. A manager lives as long as somebody holds it, a request of it or a
/// stream of it; then its open requests end as cancelled, its streams end, and its source is stopped.
///
/// With a store a killed process loses nothing that anybody has heard of: the next manager over the same store goes on
/// with the fences, the sides, the trips and whatever was not delivered. Requests and subscriptions end with the process.
public final class LocationManager: Sendable {
  let inbox: Inbox
  private let loop: Task<Void, Never>
  private let source: Task<Void, Never>
  private let monitor: Task<Void, Never>?

  /// A manager over a source.
  ///
  /// - Parameters:
  ///   - source: where fixes come from. It is started at once and asked for nothing until somebody needs a fix.
  ///   - clock: the time of a live source: ``ManagerClock/system`` in a program, a stepped clock in a test. A source with
  ///     ``SourceTiming/recorded`` timing brings its own time, and the clock is not used.
  ///   - settings: how permission is asked for, and what goes on in the background.
  ///   - journal: where every input of the engine is written down; `nil` writes nothing.
  ///   - store: where all is kept that must outlive the process, before anybody is told: fixes, fences and what happens
  ///     at them, trips. What another process has left there is gone on with. `nil` keeps everything in memory.
  ///   - device: whose things in the store are meant; one manager at a time for each.
  ///   - power: what watches the host's power; `nil` where the program says it itself, with ``setPower(_:)``.
  public init(
    source: some LocationSource, clock: ManagerClock = .system, settings: ManagerSettings = ManagerSettings(),
    journal: (any InputJournal)? = nil, store: (any LocationStore)? = nil, device: DeviceID = .this,
    power: (any PowerMonitor)? = nil
  ) {
    let clock = clock.matching(source.timing)
    let (inbox, entries) = Inbox.make(clock: clock)
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    let (questions, questionsIn) = AsyncStream.makeStream(
      of: Authorization.Level.self, bufferingPolicy: .bufferingNewest(1))
    let (needs, needsIn) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let engine = Engine(settings: settings.engineSettings(for: source.authorizationNeeds, clock: clock))
    let start = clock.stamp() ?? Moment(instant: .start, wall: nil)
    self.inbox = inbox
    loop = Task {
      var loop = EngineLoop(
        engine: engine, start: start, clock: clock, inbox: inbox,
        toSource: EngineLoop.ToSource(
          demands: demandsIn, questions: questionsIn, needs: needsIn, witness: source as? any SourceWitness),
        journal: journal,
        fences: FenceDesk(status: engine.status, unkept: settings.unkeptEvents),
        store: StoreDesk(store: store, device: device, clock: clock) { inbox.put(.storeAnswered($0)) })
      await loop.run(entries)
    }
    self.source = Task {
      await source.run(
        SourceLink(
          demands: demands, questions: questions, background: settings.background,
          drivesTime: inbox.isDrivenBySource
        ) { signal, moment in
          await inbox.submit(signal.map { .input(.signal($0)) } ?? .timePasses, at: moment)
        })
      _ = await inbox.submit(.input(.signal(.ended)), at: nil)
    }
    monitor = power.map { power in
      Task { await power.run(PowerLink(needs: needs) { inbox.put(.input(.power($0))) }) }
    }
  }

  deinit {
    // The loop takes what is in, ends what is open, and returns.
    inbox.close()
    source.cancel()
    monitor?.cancel()
  }

  // MARK: Where am I?

  /// Asks for one fix.
  ///
  /// - Parameters:
  ///   - level: how good the fix must be.
  ///   - timeout: how long to wait for it; `nil` waits for ever.
  ///   - timeoutStarts: whether the timeout counts from now, or from when the person has allowed fixes.
  ///   - settle: how long fixes must have stopped improving to end the request with the best of them; `nil` waits for
  ///     the level. See ``RequestOutcome/settled(_:)``.
  ///   - activity: how the device is being carried.
  /// - Returns: the request, at once. It ends exactly once; wait for ``LocationRequest/outcome``. A fix that is already
  ///   known and good enough answers it, and its outcome is kept for whoever asks for it later.
  public func request(
    _ level: AccuracyLevel, timeout: Duration?, timeoutStarts: TimeoutStart = .whenRequested,
    settlingAfter settle: Duration? = nil, activity: Activity = .other
  ) -> LocationRequest {
    let id = RequestID(ProcessWideNumbers.next())
    let promise = Promise<RequestOutcome>()
    let terms = RequestTerms(
      level: level, timeout: timeout, timeoutStarts: timeoutStarts, settle: settle, activity: activity)
    inbox.put(.request(id, terms, promise))
    return LocationRequest(id: id, promise: promise, manager: self)
  }

  /// Asks for one fix and waits for it.
  ///
  /// - Parameters: as ``request(_:timeout:timeoutStarts:settlingAfter:activity:)``.
  /// - Returns: a fix as good as asked for, or where it may settle the best there was when it did.
  /// - Cancellation: cancelling the task cancels the request; it then throws with ``RequestOutcome/cancelled``.
  /// - Throws: ``LocateFailure`` whenever there is no such fix; it holds the best there was.
  public func fix(
    _ level: AccuracyLevel, timeout: Duration?, timeoutStarts: TimeoutStart = .whenRequested,
    settlingAfter settle: Duration? = nil, activity: Activity = .other
  ) async throws(LocateFailure) -> Answer {
    // Else the receiver would go on, and a person be asked, for nobody.
    guard !Task.isCancelled else { throw LocateFailure(outcome: .cancelled) }
    let request = request(
      level, timeout: timeout, timeoutStarts: timeoutStarts, settlingAfter: settle, activity: activity)
    let outcome = await request.outcome
    switch outcome {
    case .reached(let answer), .settled(let answer): return answer
    default: throw LocateFailure(outcome: outcome)
    }
  }

  /// How many fixes were used and refused until now, by reason.
  public func tally() async -> FixTally {
    let promise = Promise<FixTally>()
    inbox.put(.tally(promise))
    return await promise.result
  }

  /// Waits until everything that was put in before has been taken and its effects carried out. For tests.
  ///
  /// Unlike a source, it does not wait for subscribers who are behind.
  public func settled() async {
    _ = await tally()
  }
}
