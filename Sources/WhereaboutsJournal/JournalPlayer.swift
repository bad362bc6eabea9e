import WhereaboutsFormats
public import WhereaboutsEngine
public import WhereaboutsModel

/// A player that runs an engine again from its journal, and compares the effects.
///
/// A copy made after any entry continues by itself. A file's content can't make the engine trap: an entry that no
/// engine can have been given is a ``ReplayError`` and is left out.
public struct JournalPlayer: Sendable {
  /// An entry that no engine can have been given.
  public enum ReplayError: Error, Hashable, Sendable {
    /// The entry's instant is before that of the previous entry, by this duration.
    case timeWentBack(by: Duration)
    /// The entry reuses the number of an earlier request or subscription.
    case duplicateRequester(Decision.Requester)
  }

  /// A difference between an entry's replayed effects and the recorded ones.
  public struct Difference: Hashable, Sendable {
    /// The number of the entry among those played, counted from 1.
    public var entry: Int
    /// The recorded digest; `nil` for no effects.
    public var recorded: UInt64?
    /// The digest of the replayed effects; `nil` for no effects.
    public var replayed: UInt64?
  }

  /// The engine after the entries so far.
  public private(set) var engine: Engine
  /// The number of entries played.
  public private(set) var entryCount = 0
  /// The number of effects of these entries.
  public private(set) var effectCount = 0
  /// The number of entries whose effects differ from the recorded ones.
  public private(set) var differenceCount = 0
  /// The first difference; `nil` if there is none.
  public private(set) var firstDifference: Difference?
  /// The moment of the last entry; `nil` before the first.
  public private(set) var now: Moment?

  private var requests: Set<RequestID> = []
  private var subscriptions: Set<SubscriptionID> = []
  private var digester = EffectDigester()

  /// Creates a player at the beginning of a journal.
  public init(_ header: JournalHeader) {
    engine = Engine(settings: header.settings)
  }

  /// Passes an entry's input to the engine, and replaces the effects with the new ones.
  ///
  /// - Returns: whether the effects equal the recorded ones.
  /// - Throws: a ``ReplayError`` if the engine can't be given the entry; the engine is then not called.
  @discardableResult
  public mutating func play(_ entry: JournalEntry, into effects: inout [Effect]) throws(ReplayError) -> Bool {
    effects.removeAll(keepingCapacity: true)
    if let now, entry.moment.instant < now.instant {
      throw .timeWentBack(by: now.instant.since(entry.moment.instant))
    }
    switch entry.input {
    case .request(let id, _):
      guard requests.insert(id).inserted else { throw .duplicateRequester(.request(id)) }
    case .subscribe(let id, _):
      guard subscriptions.insert(id).inserted else { throw .duplicateRequester(.subscription(id)) }
    case .signal, .follow, .completeNow, .cancel, .unsubscribe, .track, .fences, .restore, .endTrip, .power,
      .wake:
      break
    }
    now = entry.moment
    engine.handle(entry.input, at: entry.moment, into: &effects)
    entryCount += 1
    effectCount += effects.count
    let digest = digester.digest(effects)
    guard digest != entry.digest else { return true }
    differenceCount += 1
    if firstDifference == nil {
      firstDifference = Difference(entry: entryCount, recorded: entry.digest, replayed: digest)
    }
    return false
  }
}

extension JournalPlayer.ReplayError {
  /// The error, as the end of "could not …".
  public var message: String {
    switch self {
    case .timeWentBack(let duration): "time goes back by \(duration)"
    case .duplicateRequester(.request(let id)): "request \(id.number) is made twice"
    case .duplicateRequester(.subscription(let id)): "subscription \(id.number) is made twice"
    case .duplicateRequester(.fences): "fences are made twice"
    }
  }
}
