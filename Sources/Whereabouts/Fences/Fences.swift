public import WhereaboutsCore

/// The places that a manager watches, any number of them.
///
/// They are watched whether or not anybody listens, for as long as the manager lives. What they need of the source goes
/// by how far the device is from all boundaries: far away it rests.
public struct Fences: Sendable {
  /// How much of what was told is remembered in memory; a store has all of it.
  public static let remembered = 10_000

  let manager: LocationManager

  // MARK: Which

  /// Watches one more.
  ///
  /// - Throws: ``FenceFailure/refused(_:)`` where there is one of that id, which stays as it is, and where the time zone of
  ///   its hours is not known.
  public func add(_ fence: Fence) async throws(FenceFailure) {
    let answer = await tell(.add([try Self.resolved(fence)]))
    if let problem = answer.refused[fence.id] { throw .refused(problem) }
    if let trouble = answer.trouble { throw .notKept(trouble) }
  }

  /// Watches more, each by itself: those that can't be added keep none of the others from it.
  ///
  /// - Returns: those that were not added, and why.
  /// - Throws: ``FenceFailure/notKept(_:)``
  @discardableResult
  public func add(contentsOf fences: some Sequence<Fence>) async throws(FenceFailure) -> [FenceID:
    FenceProblem]
  {
    var known: [Fence] = [], refused: [FenceID: FenceProblem] = [:]
    for fence in fences {
      do throws(TimeZoneFailure) {
        known.append(try fence.resolvingTimeZone())
      } catch {
        refused[fence.id] = Self.problem(fence, error)
      }
    }
    let answer = await tell(.add(known))
    if let trouble = answer.trouble { throw .notKept(trouble) }
    return refused.merging(answer.refused) { first, _ in first }
  }

  /// A fence with the rules of its time zone.
  private static func resolved(_ fence: Fence) throws(FenceFailure) -> Fence {
    do throws(TimeZoneFailure) {
      return try fence.resolvingTimeZone()
    } catch {
      throw .refused(problem(fence, error))
    }
  }

  private static func problem(_ fence: Fence, _ failure: TimeZoneFailure) -> FenceProblem {
    switch failure {
    case .unknown(let name): .unknownTimeZone(fence.id, name)
    }
  }

  /// Puts fences in the place of those of their ids, or adds them. With other terms alone a fence keeps its side; with
  /// another area it begins anew.
  ///
  /// - Throws: ``FenceFailure/notKept(_:)``, and ``FenceFailure/refused(_:)`` where the hours of one are by a time zone that
  ///   is not known; nothing is changed then.
  public func update(_ fences: Fence...) async throws(FenceFailure) {
    var known: [Fence] = []
    for fence in fences { known.append(try Self.resolved(fence)) }
    if let trouble = await tell(.update(known)).trouble { throw .notKept(trouble) }
  }

  /// Watches some no more. Unknown ids are harmless. What was told of them stays remembered.
  ///
  /// - Throws: ``FenceFailure/notKept(_:)``
  public func remove(_ ids: FenceID...) async throws(FenceFailure) {
    if let trouble = await tell(.remove(ids)).trouble { throw .notKept(trouble) }
  }

  /// Watches none any more.
  ///
  /// - Throws: ``FenceFailure/notKept(_:)``
  public func removeAll() async throws(FenceFailure) {
    if let trouble = await tell(.removeAll).trouble { throw .notKept(trouble) }
  }

  /// All that are watched, in the order of their ids.
  public var all: [Fence] {
    get async { await look { $0.allFences } ?? [] }
  }

  /// How many are watched.
  public var count: Int {
    get async { await look { $0.fenceCount } ?? 0 }
  }

  /// The fence of an id, if it is watched.
  public func fence(_ id: FenceID) async -> Fence? {
    await look { $0.fence(id) } ?? nil
  }

  // MARK: How things stand

  /// On which side of a fence the device is, and since when; `nil` where none of that id is watched.
  public func state(of id: FenceID) async -> FenceState? {
    await look { $0.fenceState(of: id) } ?? nil
  }

  /// What the fences need of the source at present, and why; `nil` where there have never been any.
  public var power: FencePower? {
    get async { await look { $0.fencePower } ?? nil }
  }

  // MARK: What happens

  /// What happened after an event, as far back as is remembered, and from then on what happens.
  ///
  /// - Parameter id: the last event that the caller knows; `nil` for everything that is remembered.
  public func events(after id: FenceEvent.ID? = nil) -> FenceEventStream {
    FenceEventStream(base: updates(after: id))
  }

  /// The same with everything else that is told of fences: revisions, fences that are over, and what keeps them from
  /// being watched. Of the latter only what comes from now on.
  ///
  /// - Parameter id: the last event that the caller knows; `nil` for everything that is remembered.
  public func updates(after id: FenceEvent.ID? = nil) -> FenceUpdateStream {
    FenceUpdateStream(after: id, of: manager)
  }

  // MARK: Delivery

  /// What happened and a consumer has not acknowledged yet, and from then on what happens; each consumer by itself.
  ///
  /// - Parameter consumer: the consumer's name, the same in every process. One that nobody has heard of gets everything
  ///   that is kept.
  public func deliveries(to consumer: String) -> FenceDeliveryStream {
    FenceDeliveryStream(of: manager) { .deliverFences($0, to: consumer) }
  }

  /// A consumer has dealt with everything up to a note: it is not delivered to it again.
  ///
  /// - Parameters:
  ///   - number: a delivery's; a smaller one than before changes nothing.
  ///   - consumer: its name.
  /// - Throws: where it can't be kept; what was acknowledged may then be delivered again by another process.
  public func acknowledge(through number: UInt64, by consumer: String) async throws(StoreTrouble) {
    let promise = Promise<StoreTrouble?>()
    guard manager.inbox.put(.acknowledge(number, by: consumer, promise)) else { return }
    if let trouble = await promise.result { throw trouble }
  }

  // MARK: Others

  /// Takes over what others have done to the fences in the store, in order.
  ///
  /// - Throws: ``FenceFailure/notKept(_:)``; they are taken over all the same.
  public func apply(_ edits: [FenceEdit]) async throws(FenceFailure) {
    for edit in edits {
      let command: FenceCommand =
        switch edit.change {
        case .set(let fence): .update([fence])
        case .removed(let id): .remove([id])
        }
      if let trouble = await tell(command, edit: edit.number).trouble { throw .notKept(trouble) }
    }
  }

  // MARK: Asking

  private func tell(_ command: FenceCommand, edit: UInt64? = nil) async -> FenceAnswer {
    let promise = Promise<FenceAnswer>()
    guard manager.inbox.put(.fences(command, edit: edit, promise)) else { return FenceAnswer() }
    return await promise.result
  }

  private func look<Value: Sendable>(_ body: @escaping @Sendable (Engine) -> Value) async -> Value? {
    let promise = Promise<Value>()
    let isIn = manager.inbox.put(.look { await promise.fulfil(body($0)) })
    return isIn ? await promise.result : nil
  }
}

/// Why fences are not as was asked for.
public enum FenceFailure: Error, Hashable, Sendable {
  /// The fence can't be added.
  case refused(FenceProblem)
  /// It is done, but could not be written down yet: it is lost where the process ends before it is.
  case notKept(StoreTrouble)
}

/// What an engine says to what its fences are told.
struct FenceAnswer: Sendable {
  var refused: [FenceID: FenceProblem] = [:]
  var trouble: StoreTrouble?
}

extension LocationManager {
  /// The places that are watched.
  public var fences: Fences { Fences(manager: self) }
}
