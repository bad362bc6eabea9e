import WhereaboutsEngine

/// A tracker of the distance that the device covers.
///
/// Made with ``LocationManager/tracker(_:)``, a tracker is prepared: the source is on, and ``TrackUpdate/signal`` rates
/// its fixes. Counting begins with ``start()``. Copies are the same tracker.
///
/// - Ends: when the source has ended (a recording's end), on ``end()``, or when the tracker and its streams are
///   released. The distance counted so far is settled then, and a last update is sent. A tracker also ends with the
///   trip of its name; with the name of an ended trip of the store it ends before it counts anything
///   (``TrackTerms/trip``).
/// - Stops: on ``stop()``, when the source has given up, and when permission is refused. The totals stay, and
///   ``start()`` resumes them. The path covered in between is not counted.
/// - Streams: each stream has one consumer at a time. A loop that is left or cancelled leaves the stream open, and a
///   later loop continues there. A loop that begins while another one runs takes the stream over, and the earlier
///   loop ends.
public struct Tracker: Sendable, Identifiable {
  /// The terms that the tracker was made with.
  public let terms: TrackTerms
  /// The tracker's state after each change. For one consumer at a time.
  ///
  /// Updates are sent at most once in ``TrackTerms/calculationInterval``. A turn, a change of signal and a change of
  /// phase send an update at once.
  ///
  /// - Ends: with the tracker. The last update is sent before the end and is never dropped.
  /// - Drops: a slow or later consumer receives the newest update only. Each update holds the whole state.
  /// - Cancellation: the tracker and the stream continue until the tracker and its streams are released. A later loop
  ///   begins with the newest update that has not been consumed; ``state`` is the state at once.
  public let updates: EventStream<TrackUpdate>
  /// The settled points of the track, in order, if ``TrackTerms/reportsPoints`` is set; otherwise none. For one
  /// consumer at a time.
  ///
  /// Ends and cancellation are as with ``updates``. No point is dropped: every point is kept until it is consumed, also
  /// by a later loop. So don't request points without consuming them; `points.end()` discards all further points.
  public let points: EventStream<TrackPoint>
  /// The tracker's phases with their causes, and the problems that prevent fixes, in order. For one consumer at a
  /// time.
  ///
  /// Ends and cancellation are as with ``updates``. All but the newest hundred events are dropped.
  public let events: EventStream<Event>

  private let handle: TrackerHandle

  init(_ terms: TrackTerms, startsAtOnce: Bool, window: Int?, of manager: LocationManager) {
    let hold = TrackerHandle(of: manager)
    self.terms = terms
    self.handle = hold
    let updates, points, events: UpdateChannel
    (updates, self.updates) = hold.channel(0, keeping: .newest(1))
    (points, self.points) = hold.channel(1, keeping: .waiting(upTo: window ?? .max))
    (events, self.events) = hold.channel(2, keeping: .newest(100), appliesPolicyToAll: true)
    let channels = [updates, points, events]
    manager.inbox.enqueue { [id = hold.id] in
      await $0.subscribe(id, .track(terms), channels)
      if startsAtOnce { _ = await $0.commandTracker(id, .start) }
    } otherwise: {
      for channel in channels { await channel.finish() }
    }
  }

  /// The tracker's number, unique for the life of the process.
  public var id: SubscriptionID { handle.id }

  /// Turns the source on and measures the signal; nothing is counted. A tracker that is counting stops counting, with
  /// the source on.
  ///
  /// - Throws: ``TrackError`` if permission is refused, the source is over or the trip has ended. While permission is
  ///   undetermined, or where the source must check it again (``Authorization/noticesChanges``), a refusal stops the
  ///   tracker later.
  public func prepare() async throws(TrackError) {
    try await perform(.prepare)
  }

  /// Starts counting. Fixes made before this call are never used, even if they arrive later. Exempt are the fixes of a
  /// source with ``SourceSignal/AgeRule/sinceTrustedTime``, such as those that a phone sends once a day.
  ///
  /// - Throws: ``TrackError`` if permission is refused, the source is over or the trip has ended. While permission is
  ///   undetermined, or where the source must check it again (``Authorization/noticesChanges``), a refusal stops the
  ///   tracker later.
  public func start() async throws(TrackError) {
    try await perform(.start)
  }

  /// Stops counting and releases the source. The totals stay.
  ///
  /// - Returns: the state with everything settled.
  @discardableResult
  public func stop() async -> TrackUpdate {
    await send(.stop).update ?? .empty
  }

  /// Resets the totals to zero and discards every earlier fix. A tracker that is counting continues from zero.
  public func reset() async {
    _ = await send(.reset)
  }

  /// The current state; after the end, the final state.
  public var state: TrackUpdate {
    get async {
      let update = await handle.manager.inbox.perform { [id] in $0.trackUpdate(of: id) }
      return (update ?? nil) ?? .empty
    }
  }

  /// The settled totals of the track.
  public var totals: TrackTotals {
    get async { await state.totals }
  }

  /// Ends the tracker. Buffered updates and a last update are still delivered before the streams end. No effect on a
  /// tracker that has ended.
  ///
  /// If ``TrackTerms/trip`` names a trip, the trip ends for good, and with a store no other trip gets its name. A
  /// tracker that is released without this call leaves its trip open, and another tracker may resume the trip. Other
  /// live trackers of the name end with the trip. If one of them has the trip (``TrackTerms/trip``), ending this tracker
  /// does not affect the trip or the other trackers.
  public func end() {
    handle.manager.inbox.enqueue { [id] in await $0.endTracker(id) }
  }

  /// Ends the tracker as ``end()`` does, but leaves its trip open: another tracker may resume the trip.
  package func endLeavingTripOpen() {
    handle.manager.inbox.enqueue { [id] in await $0.unsubscribe(id) }
  }

  private func perform(_ command: TrackPhase.Command) async throws(TrackError) {
    let answer = await send(command)
    guard case .asked = answer.cause else { throw TrackError(cause: answer.cause) }
  }

  private func send(_ command: TrackPhase.Command) async -> TrackCommandResult {
    await handle.manager.inbox.perform { [id] in await $0.commandTracker(id, command) }
      ?? TrackCommandResult(phase: .stopped, cause: .released, update: nil)
  }
}

/// An error that prevents the preparation or start of a tracker.
public struct TrackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause of the failure.
  public let cause: TrackPhase.Cause

  /// Creates an error with its cause.
  public init(cause: TrackPhase.Cause) {
    self.cause = cause
  }

  /// The cause as text for a log, without coordinates.
  public var description: String {
    switch cause {
    case .asked, .released: "the tracker is over"
    case .unauthorized(let authorization):
      "location is not allowed: \(authorization.status.rawValue)"
        + (authorization.remedy.map { ". \($0)" } ?? "")
    case .sourceFailed(let problem), .sourceEnded(let problem?):
      "could not \(problem.message)" + (problem.remedy.map { ". \($0)" } ?? "")
    case .sourceEnded(nil): "the source is over"
    case .tripEnded(let trip): "trip \(trip) has ended. Choose another name for a new trip"
    }
  }
}

/// The result of a command to a tracker.
struct TrackCommandResult: Sendable {
  var phase: TrackPhase
  var cause: TrackPhase.Cause
  var update: TrackUpdate?
}

extension TrackUpdate {
  /// The state of a tracker that never existed.
  fileprivate static var empty: TrackUpdate {
    TrackUpdate(
      phase: .stopped, totals: TrackTotals(), ahead: 0, settledTo: nil, speed: nil, motion: .unknown,
      signal: .invalid, fix: nil)
  }
}
