/// Answers where the device is: once, or as it moves.
///
/// Owns one engine and one source. Everything that happens goes through one inbox into the engine, in order; what the
/// engine decides is carried out by one loop. The source's receiver is on only while somebody needs it.
///
/// Any number of managers may live in a process. A manager lives as long as somebody holds it, a request of it or a
/// stream of it; then its open requests end as cancelled, its streams end, and its source is stopped.
public final class LocationManager: Sendable {
  let inbox: Inbox
  private let loop: Task<Void, Never>
  private let source: Task<Void, Never>

  /// A manager over a source.
  ///
  /// - Parameters:
  ///   - source: where fixes come from. It is started at once and asked for nothing until somebody needs a fix.
  ///   - clock: what to take for the time: ``ManagerClock/system`` in a program, a stepped clock in a test,
  ///     ``ManagerClock/drivenBySource`` for recordings.
  public init(source: some LocationSource, clock: ManagerClock) {
    let (inbox, entries) = Inbox.make(clock: clock)
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    self.inbox = inbox
    loop = Task {
      var loop = EngineLoop(clock: clock, inbox: inbox, demands: demandsIn)
      await loop.run(entries)
    }
    self.source = Task {
      await source.run(SourceLink(demands: demands, inbox: inbox))
      _ = await inbox.submit(.input(.signal(.ended)), at: nil)
    }
  }

  deinit {
    // The loop takes what is in, ends what is open, and returns.
    inbox.close()
    source.cancel()
  }

  // MARK: Where am I?

  /// Asks for one fix.
  ///
  /// - Parameters:
  ///   - level: how good the fix must be.
  ///   - timeout: how long to wait for it, from now; `nil` waits for ever.
  ///   - activity: how the device is being carried.
  /// - Returns: the request, at once. It ends exactly once; wait for ``LocationRequest/outcome``. A fix that is already
  ///   known and good enough answers it.
  public func request(
    _ level: AccuracyLevel, timeout: Duration?, activity: Activity = .other
  ) -> LocationRequest {
    let id = RequestID(ProcessWideNumbers.next())
    let promise = Promise<RequestOutcome>()
    inbox.put(.request(id, RequestTerms(level: level, timeout: timeout, activity: activity), promise))
    return LocationRequest(id: id, promise: promise, manager: self)
  }

  /// Asks for one fix and waits for it.
  ///
  /// - Parameters: as ``request(_:timeout:activity:)``.
  /// - Cancellation: cancelling the task cancels the request; it then throws with ``RequestOutcome/cancelled``.
  /// - Throws: ``LocateFailure`` whenever there is no fix as good as asked for; it holds the best there was.
  public func fix(
    _ level: AccuracyLevel, timeout: Duration?, activity: Activity = .other
  ) async throws(LocateFailure) -> Answer {
    let request = request(level, timeout: timeout, activity: activity)
    let outcome = await withTaskCancellationHandler {
      await request.outcome
    } onCancel: {
      request.cancel()
    }
    guard case .reached(let answer) = outcome else { throw LocateFailure(outcome: outcome) }
    return answer
  }

  // MARK: Where am I now, and now, and now?

  /// Subscribes to fixes.
  ///
  /// - Parameters:
  ///   - level: what to ask of the source. Fixes that fall short are delivered too: they carry their accuracy.
  ///   - distanceFilter: least movement between two fixes, in metres; 0 delivers every one.
  ///   - activity: how the device is being carried.
  ///   - buffering: what to keep while the consumer is busy.
  public func fixes(
    _ level: AccuracyLevel, distanceFilter: Double = 0, activity: Activity = .other,
    keeping buffering: FixBuffering = .newest(1)
  ) -> FixStream {
    FixStream(
      updates: updates(level, distanceFilter: distanceFilter, activity: activity, keeping: buffering))
  }

  /// Subscribes to fixes and to what keeps them from coming.
  ///
  /// - Parameters: as ``fixes(_:distanceFilter:activity:keeping:)``.
  public func updates(
    _ level: AccuracyLevel, distanceFilter: Double = 0, activity: Activity = .other,
    keeping buffering: FixBuffering = .newest(1)
  ) -> UpdateStream {
    let id = SubscriptionID(ProcessWideNumbers.next())
    let (channel, stream) = UpdateChannel.make(buffering)
    channel.onEnd { [inbox] in inbox.put(.input(.unsubscribe(id))) }
    inbox.put(
      .subscribe(
        id, SubscriptionTerms(level: level, distanceFilter: distanceFilter, activity: activity), channel))
    let window: Int? = if case .waiting(let count) = buffering { max(1, count) } else { nil }
    return UpdateStream(id: id, stream: stream, window: window, manager: self)
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
