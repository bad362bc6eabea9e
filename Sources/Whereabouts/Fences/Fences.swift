package import WhereaboutsEngine
public import WhereaboutsModel

/// The geofences of a manager, in any number.
///
/// Fences are monitored with or without listeners, as long as the manager lives. The demand on the source depends on
/// the device's distance from all boundaries: far away the source rests.
public struct Fences: Sendable {
  /// The number of fence records kept in memory; a store keeps all records.
  public static let rememberedRecords = 10_000

  let manager: LocationManager

  // MARK: Changes

  /// Adds a fence.
  ///
  /// - Throws: ``FenceError/refused(_:)`` if a fence with the id exists, which stays unchanged, or if the time zone
  ///   of the fence's hours is unknown. ``FenceError/storeFailed(_:)`` if the change could not be stored yet.
  public func add(_ fence: Fence) async throws(FenceError) {
    let answer = await perform(.add([try Self.resolved(fence)]))
    if let problem = answer.refused[fence.id] { throw .refused(problem) }
    if let problem = answer.storeError { throw .storeFailed(problem) }
  }

  /// Adds fences independently: a refused fence does not affect the others. Of several valid fences with one id, the
  /// first is added, and the others are refused.
  ///
  /// - Returns: the refused fences with the reasons.
  /// - Throws: ``FenceError/storeFailed(_:)``
  @discardableResult
  public func add(contentsOf fences: some Sequence<Fence>) async throws(FenceError) -> [FenceID:
    Fence.Problem]
  {
    var known: [Fence] = [], ids: Set<FenceID> = [], refused: [FenceID: Fence.Problem] = [:]
    for fence in fences {
      guard !ids.contains(fence.id) else {
        refused[fence.id] = .duplicate(fence.id)
        continue
      }
      do throws(TimeZoneRules.LookupError) {
        known.append(try fence.resolvingTimeZone())
        ids.insert(fence.id)
        refused[fence.id] = nil
      } catch {
        refused[fence.id] = Self.problem(fence, error)
      }
    }
    let answer = await perform(.add(known))
    if let problem = answer.storeError { throw .storeFailed(problem) }
    return refused.merging(answer.refused) { first, _ in first }
  }

  /// Returns a fence with the rules of its time zone.
  private static func resolved(_ fence: Fence) throws(FenceError) -> Fence {
    do throws(TimeZoneRules.LookupError) {
      return try fence.resolvingTimeZone()
    } catch {
      throw .refused(problem(fence, error))
    }
  }

  private static func problem(_ fence: Fence, _ failure: TimeZoneRules.LookupError) -> Fence.Problem {
    switch failure {
    case .unknown(let name): .unknownTimeZone(fence.id, name)
    }
  }

  /// Replaces the fences with the same ids, or adds new ones. A fence with the same area keeps its state; a fence
  /// with another area starts anew.
  ///
  /// - Throws: ``FenceError/storeFailed(_:)``, and ``FenceError/refused(_:)`` if the time zone of a fence's hours is
  ///   unknown. After a refusal nothing is changed.
  public func update(_ fences: Fence...) async throws(FenceError) {
    var known: [Fence] = []
    for fence in fences { known.append(try Self.resolved(fence)) }
    if let problem = await perform(.update(known)).storeError { throw .storeFailed(problem) }
  }

  /// Removes fences. Unknown ids are ignored. Reported events of the fences stay remembered.
  ///
  /// - Throws: ``FenceError/storeFailed(_:)``
  public func remove(_ ids: FenceID...) async throws(FenceError) {
    if let problem = await perform(.remove(ids)).storeError { throw .storeFailed(problem) }
  }

  /// Removes all fences.
  ///
  /// - Throws: ``FenceError/storeFailed(_:)``
  public func removeAll() async throws(FenceError) {
    if let problem = await perform(.removeAll).storeError { throw .storeFailed(problem) }
  }

  /// All fences, in the order of their ids.
  public var all: [Fence] {
    get async { await manager.inbox.perform { $0.engine.allFences } ?? [] }
  }

  /// The number of fences.
  public var count: Int {
    get async { await manager.inbox.perform { $0.engine.fenceCount } ?? 0 }
  }

  /// Returns the fence with an id, or `nil` if none exists.
  public func fence(_ id: FenceID) async -> Fence? {
    await manager.inbox.perform { $0.engine.fence(id) } ?? nil
  }

  // MARK: State

  /// Returns the device's side of a fence with the time of the last change, or `nil` for an unknown id.
  public func state(of id: FenceID) async -> FenceState? {
    await manager.inbox.perform { $0.engine.fenceState(of: id) } ?? nil
  }

  /// The fences that the device is in, in the order of their ids.
  package var inside: [Fence] {
    get async { await manager.inbox.perform { $0.engine.containingFences } ?? [] }
  }

  /// The demand of the fences on the source, with the reason; `nil` if the manager never had fences.
  public var power: FencePower? {
    get async { await manager.inbox.perform { $0.engine.fencePower } ?? nil }
  }

  // MARK: Events

  /// Returns the remembered records after an event, followed by new ones. Problems and changes of permission are
  /// reported from now on only.
  ///
  /// Listening makes no demand on the source; the fences make their own. Listening keeps the manager alive. The events
  /// alone are `updates(after: id).compactMap(\.event)`.
  ///
  /// - Ends: when the source has ended (a recording's end); buffered updates are delivered first.
  /// - Drops: nothing. Records are few, and all are kept until they are consumed.
  /// - After a kill: request the events after the last processed one. An event may be reported again with its id.
  ///
  /// Any number of streams may listen, and each receives every record.
  ///
  /// - Parameter id: the last event that the caller knows; `nil` for every remembered record.
  public func updates(after id: FenceEvent.ID? = nil) -> EventStream<FenceUpdate> {
    updates(from: .event(after: id))
  }

  /// Returns a consumer's unacknowledged records of any process, followed by new ones. Each consumer has a cursor of
  /// its own.
  ///
  /// Records are delivered at least once. The next process delivers an unacknowledged record again, under the same
  /// number; see ``acknowledge(through:by:)``. Otherwise the stream is as with ``updates(after:)``.
  ///
  /// Without a store, a consumer receives the remembered records of this manager, and its cursor ends with the manager.
  ///
  /// - Parameter consumer: the consumer's name, the same in every process. An unknown consumer receives every stored
  ///   record.
  public func updates(for consumer: String) -> EventStream<FenceUpdate> {
    updates(from: .cursor(of: consumer))
  }

  private func updates(from start: FenceEventDispatcher.Start) -> EventStream<FenceUpdate> {
    let mailbox = Mailbox<FenceUpdate>(policy: .unbounded)
    manager.inbox.enqueue {
      await $0.listenToFences(mailbox, from: start)
    } otherwise: {
      await mailbox.finish()
    }
    return EventStream(mailbox: mailbox, owner: manager)
  }

  /// Acknowledges all fence records up to a number: the consumer does not receive them again.
  ///
  /// - Parameters:
  ///   - number: the number of an update; a smaller number than before changes nothing. A number that no record has
  ///     yet acknowledges all records so far, and none of the later ones. A record that could not be stored yet is
  ///     acknowledged once it is.
  ///   - consumer: the consumer's name.
  /// - Throws: ``StoreError`` if the cursor can't be stored. Another process may then deliver acknowledged records
  ///   again.
  public func acknowledge(through number: UInt64, by consumer: String) async throws(StoreError) {
    let error = await manager.inbox.perform { await $0.acknowledge(number, by: consumer) }
    if let error = error ?? nil { throw error }
  }

  // MARK: Edits by other processes

  /// Applies the edits that other processes have stored, in order.
  ///
  /// - Throws: ``FenceError/storeFailed(_:)``; the edits are applied nevertheless.
  package func apply(_ edits: [DeviceRecord.FenceEdit]) async throws(FenceError) {
    for (command, edit) in edits.commands {
      if let problem = await perform(command, edit: edit).storeError { throw .storeFailed(problem) }
    }
  }

  /// Applies a command, for the owner of fences that several managers share.
  package func apply(_ command: FenceCommand) async throws(StoreError) {
    if let problem = await perform(command).storeError { throw problem }
  }

  // MARK: Commands

  private func perform(_ command: FenceCommand, edit: UInt64? = nil) async -> FenceCommandResult {
    await manager.inbox.perform { await $0.changeFences(command, edit: edit) } ?? FenceCommandResult()
  }
}

/// An error of a change to fences.
public enum FenceError: Error, Hashable, Sendable {
  /// The fence can't be added.
  case refused(Fence.Problem)
  /// The change is applied, but could not be stored yet. An end of the process before the next write loses the
  /// change.
  ///
  /// While the store is ``StoreHealth/unusable(_:)``, a change throws no error. The manager applies the change, and
  /// stores it once the store is loaded; an added fence then gives way to a stored one of its id. An end of the process
  /// before loses the change.
  case storeFailed(StoreError)
}

extension FenceError: CustomStringConvertible {
  /// The reason as text for a log, without coordinates.
  public var description: String {
    switch self {
    case .refused(.duplicate(let id)): "there is a fence named \(id) already"
    case .refused(.unknownTimeZone(_, let zone)): TimeZoneRules.LookupError.unknown(zone).description
    case .storeFailed(let problem): problem.description
    }
  }
}

/// The result of a command to an engine's fences.
struct FenceCommandResult: Sendable {
  var refused: [FenceID: Fence.Problem] = [:]
  var storeError: StoreError?
}

extension LocationManager {
  /// The fences of the manager.
  public var fences: Fences { Fences(manager: self) }
}
