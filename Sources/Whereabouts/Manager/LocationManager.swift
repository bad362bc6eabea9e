import WhereaboutsEngine

/// A manager of one engine and one source, which reports the device's location once or continuously.
///
/// Every input is processed in order, through one inbox and the engine, and one loop carries out the engine's effects.
/// The source's receiver is on only while a consumer needs fixes.
///
/// A process may hold any number of managers. A manager lives as long as the program holds the manager, one of its
/// requests or their progress, a subscription, a tracker, or a stream of fence updates. Status streams and decisions do
/// not keep it alive. At its end the open requests are cancelled, the streams end, and the source stops.
///
/// With a store, a killed process loses nothing that was reported. The next manager over the same store resumes the
/// fences, their states, the trips and the undelivered events. Requests and subscriptions end with the process.
public final class LocationManager: Sendable {
  let inbox: Inbox
  /// The run of the engine. It ends some time after the manager, with the last commit to the store.
  package let loop: Task<Void, Never>
  private let source: Task<Void, Never>
  /// Ends when the source may start.
  private let sourceStart: AsyncStream<Void>.Continuation
  private let monitor: Task<Void, Never>?

  /// Creates a manager over a source.
  ///
  /// - Parameters:
  ///   - source: the source of fixes. The manager demands nothing until a consumer or a fence needs a fix.
  ///   - clock: the time of a live source: ``ManagerClock/system`` in a program, a stepped clock in a test. A source
  ///     with ``SourceTiming/recorded`` timing brings its own time, and the clock is not used.
  ///   - settings: the settings of permission, background, motion, fences and power.
  ///   - journal: the journal of every input of the engine; `nil` writes nothing.
  ///   - store: the store of fixes, fences, fence records and trips, written before any notification. The manager
  ///     resumes the stored data of an earlier process. `nil` keeps everything in memory.
  ///   - device: the device in the store; one manager at a time for each.
  ///   - power: the monitor of the host's power; `nil` if the program calls ``setPower(_:)`` itself.
  ///   - startsSource: whether the source starts at once. Stored fences need fixes before the program has subscribed,
  ///     and a fast recording does not wait: its first fixes would be missing in a stream or a tracker. With `false`
  ///     the source starts with ``startSource()``.
  public init(
    source: some LocationSource, clock: ManagerClock = .system, settings: ManagerSettings = ManagerSettings(),
    journal: (any InputJournal)? = nil, store: (any LocationStore)? = nil, device: DeviceID = .this,
    power: (any PowerMonitor)? = nil, startsSource: Bool = true
  ) {
    let clock = clock.matching(source.timing)
    let (inbox, entries) = Inbox.make(clock: clock)
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    let (questions, questionsIn) = AsyncStream.makeStream(
      of: Authorization.Level.self, bufferingPolicy: .bufferingNewest(1))
    let (needs, needsIn) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let (begin, beginIn) = AsyncStream.makeStream(of: Void.self)
    let engineSettings = settings.engineSettings(for: source.authorizationNeeds, clock: clock)
    let start = clock.stamp() ?? Moment(instant: .start, wall: nil)
    self.inbox = inbox
    loop = Task {
      // A function: what the task itself computes would take memory until the manager's end.
      @inline(never) func makeLoop() -> EngineLoop {
        let engine = Engine(settings: engineSettings)
        return EngineLoop(
          engine: engine, start: start, clock: clock, inbox: inbox,
          sourceChannels: EngineLoop.SourceChannels(
            demands: demandsIn, authorizationRequests: questionsIn, needs: needsIn,
            observer: source as? any SourceObserver),
          journal: journal,
          fences: FenceEventDispatcher(status: engine.status, unsavedEvents: settings.unsavedEvents),
          store: CommitQueue(
            store: store, device: device, clock: clock, storesStateWithFixes: settings.storesStateWithFixes
          ) { answer in
            inbox.enqueue { await $0.processLateAnswer(answer) }
          })
      }
      var loop = makeLoop()
      await loop.run(entries)
    }
    if startsSource { beginIn.finish() }
    sourceStart = beginIn
    self.source = Task {
      if !startsSource {
        for await _ in begin {}
        // Nobody started the source before the manager's end.
        guard !Task.isCancelled else { return }
      }
      await source.run(
        SourceLink(
          demands: demands, authorizationRequests: questions, background: settings.background,
          drivesTime: inbox.isDrivenBySource
        ) { signal, moment in
          await inbox.submit(signal, at: moment)
        })
      _ = await inbox.submit(.ended, at: nil)
    }
    monitor = power.map { power in
      Task { await power.run(PowerLink(needs: needs) { inbox.enqueue(.power($0)) }) }
    }
  }

  deinit {
    // The loop processes the remaining entries, ends the open requests and streams, and returns.
    inbox.close()
    source.cancel()
    monitor?.cancel()
  }

  /// Starts a source that was created with `startsSource: false`, after the program has subscribed.
  ///
  /// Requests and subscriptions made before the call get every fix from the first one. No effect on a source that has
  /// started.
  public func startSource() {
    sourceStart.finish()
  }

  // MARK: One fix

  /// Requests one fix.
  ///
  /// - Parameters:
  ///   - level: the required accuracy of the fix.
  ///   - timeout: the longest wait; `nil` waits without limit. With zero or less, the request ends at once with the
  ///     known fix, if any, and the source is not asked.
  ///   - timeoutStarts: whether the timeout counts from now or from the grant of permission. While nobody answers a
  ///     prompt, ``RequestTerms/TimeoutStart/whenAuthorized`` waits without limit, also with a timeout of zero.
  ///   - settle: the time without an improvement after which the request ends with its best fix; `nil` waits for the
  ///     level. See ``RequestOutcome/settled(_:)``.
  ///   - activity: the way the device is carried.
  /// - Returns: the request, at once. The request ends exactly once; wait for ``LocationRequest/outcome``. A known
  ///   fix of the required accuracy answers the request, and the outcome is kept for later callers.
  public func request(
    _ level: AccuracyLevel, timeout: Duration?, timeoutStarts: RequestTerms.TimeoutStart = .whenRequested,
    settlingAfter settle: Duration? = nil, activity: Activity = .other
  ) -> LocationRequest {
    let id = RequestID(ProcessWideNumbers.next())
    let promise = Promise<RequestOutcome>()
    let terms = RequestTerms(
      level: level, timeout: timeout, timeoutStarts: timeoutStarts, settle: settle, activity: activity)
    inbox.enqueue {
      await $0.request(id, terms, promise)
    } otherwise: {
      await promise.fulfil(.cancelled)
    }
    return LocationRequest(id: id, promise: promise, manager: self)
  }

  /// Requests one fix and waits for the outcome.
  ///
  /// - Parameters: as ``request(_:timeout:timeoutStarts:settlingAfter:activity:)``.
  /// - Returns: a fix of the required accuracy, or the best fix of a request that settled.
  /// - Cancellation: cancelling the task cancels the request, and the method throws ``RequestOutcome/cancelled``.
  /// - Throws: ``LocationRequestError`` if the request was neither reached nor settled. The error holds the
  ///   best fix, if there was any.
  public func fix(
    _ level: AccuracyLevel, timeout: Duration?, timeoutStarts: RequestTerms.TimeoutStart = .whenRequested,
    settlingAfter settle: Duration? = nil, activity: Activity = .other
  ) async throws(LocationRequestError) -> Answer {
    // Otherwise the receiver would run, and a person be asked, for a cancelled task.
    guard !Task.isCancelled else { throw LocationRequestError(outcome: .cancelled) }
    let request = request(
      level, timeout: timeout, timeoutStarts: timeoutStarts, settlingAfter: settle, activity: activity)
    let outcome = await request.outcome
    switch outcome {
    case .reached(let answer), .settled(let answer): return answer
    default: throw LocationRequestError(outcome: outcome)
    }
  }

  /// Returns the numbers of used and refused fixes so far, by reason.
  public func fixCounts() async -> FixCounts {
    await inbox.perform { $0.engine.fixCounts } ?? FixCounts()
  }

  /// Waits until all earlier entries are processed and their effects carried out. For tests.
  ///
  /// Unlike a source, the method does not wait for slow subscribers.
  public func waitUntilProcessed() async {
    _ = await fixCounts()
  }
}
