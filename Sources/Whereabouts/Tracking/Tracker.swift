/// Says how far the device has come.
///
/// Made with ``LocationManager/tracker(_:)``. It is prepared then: the source is on, ``TrackUpdate/signal`` says how good
/// its fixes are, and nothing is counted before ``start()``. Copies are the same tracker.
///
/// - Ends: when the source is over (a recording's end), somebody calls ``end()``, or nobody holds the tracker or a
///   stream of it any more. What was counted until then is settled, and a last update told.
/// - What stops it: ``stop()``, a source that has given up, and permission that is refused. What was counted stays, and
///   ``start()`` goes on from there; the way in between is not counted.
public struct Tracker: Sendable, Identifiable {
  /// What it was asked.
  public let terms: TrackTerms
  /// How things stand, each time there is news; see ``TrackStream``. For one consumer.
  public let updates: TrackStream
  /// The points of the way as they are settled, where ``TrackTerms/tellsPoints`` asks for them; see
  /// ``TrackPointStream``. For one consumer.
  public let points: TrackPointStream
  /// What it does and why, and what keeps fixes from coming; see ``TrackEventStream``. For one consumer.
  public let events: TrackEventStream

  private let hold: TrackerHold

  init(_ terms: TrackTerms, startsAtOnce: Bool, window: Int?, of manager: LocationManager) {
    let hold = TrackerHold(of: manager)
    self.terms = terms
    self.hold = hold
    let updates = TrackerChannel.updates(hold), events = TrackerChannel.events(hold)
    let points = TrackerChannel.points(hold, window: window)
    self.updates = TrackStream(base: updates)
    self.events = TrackEventStream(base: events)
    self.points = TrackPointStream(base: points, hold: hold, window: window)
    let channels = [updates.sender, points.sender, events.sender]
    manager.inbox.put(.subscribe(hold.id, .track(terms), channels, first: startsAtOnce ? .start : nil))
  }

  /// Its number, unique for the life of the process.
  public var id: SubscriptionID { hold.id }

  /// Turns the source on and looks how strong the signal is; nothing is counted. A tracker that counts goes on no further,
  /// with the source on.
  ///
  /// - Throws: ``TrackFailure`` where fixes may not be had, or the source is over.
  public func prepare() async throws(TrackFailure) {
    try await carryOut(.prepare)
  }

  /// Counts from here on. No fix that was made before is used, whenever it comes.
  ///
  /// - Throws: ``TrackFailure`` where fixes may not be had, or the source is over.
  public func start() async throws(TrackFailure) {
    try await carryOut(.start)
  }

  /// Counts no further, and lets the source rest. What was counted stays.
  ///
  /// - Returns: how it stands, all settled.
  @discardableResult
  public func stop() async -> TrackUpdate {
    await tell(.stop).update ?? .nothing
  }

  /// Forgets what was counted, and every fix from before now. A tracker that counts goes on from zero.
  public func reset() async {
    _ = await tell(.reset)
  }

  /// How things stand now. After the end: as they stood then.
  public var state: TrackUpdate {
    get async {
      let promise = Promise<TrackUpdate?>()
      guard hold.manager.inbox.put(.track(id, promise)) else { return .nothing }
      return await promise.result ?? .nothing
    }
  }

  /// What is settled of the way.
  public var totals: TrackTotals {
    get async { await state.totals }
  }

  /// Ends it: what is untaken still comes, a last update too, and then the end. No effect on one that has ended. With a
  /// name (``TrackTerms/trip``) the trip is over for good; let go of without this, another tracker may go on with it. A
  /// tracker whose name another one had counts for itself: its end leaves that one and the trip alone.
  public func end() {
    hold.manager.inbox.put(.end(id))
  }

  private func carryOut(_ command: TrackCommand) async throws(TrackFailure) {
    let answer = await tell(command)
    guard case .asked = answer.cause else { throw TrackFailure(cause: answer.cause) }
  }

  private func tell(_ command: TrackCommand) async -> TrackAnswer {
    let promise = Promise<TrackAnswer>()
    guard hold.manager.inbox.put(.steer(id, command, promise)) else {
      return TrackAnswer(phase: .stopped, cause: .released, update: nil)
    }
    return await promise.result
  }
}

/// Why a tracker could not be prepared or started.
public struct TrackFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it does not do it for.
  public let cause: TrackPhaseCause

  /// A failure with its cause.
  public init(cause: TrackPhaseCause) {
    self.cause = cause
  }

  /// Why it could not, for a log: never a coordinate.
  public var description: String {
    switch cause {
    case .asked, .released: "the tracker is over"
    case .unauthorized(let authorization):
      "location is not allowed: \(authorization.status.rawValue)"
        + (authorization.remedy.map { ". \($0)" } ?? "")
    case .sourceFailed(let trouble), .sourceEnded(let trouble?): "could not \(trouble.message)"
    case .sourceEnded(nil): "the source is over"
    }
  }
}

/// What a tracker says to what it is told.
struct TrackAnswer: Sendable {
  var phase: TrackPhase
  var cause: TrackPhaseCause
  var update: TrackUpdate?
}

extension TrackUpdate {
  /// Of a tracker that never was.
  fileprivate static var nothing: TrackUpdate {
    TrackUpdate(
      phase: .stopped, totals: TrackTotals(), ahead: 0, settledTo: nil, speed: nil, motion: .unknown,
      signal: .invalid, fix: nil)
  }
}
