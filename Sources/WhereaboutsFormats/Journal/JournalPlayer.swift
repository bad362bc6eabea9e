public import WhereaboutsCore

/// Runs an engine again from its journal, and sees whether it does the same.
///
/// A value: a copy made after any entry goes on from there by itself. What comes from a file can't make the engine
/// trap: an entry that no engine could have been given is a ``Fault`` and is left out.
public struct JournalPlayer: Sendable {
  /// An entry that no engine can have been given.
  public enum Fault: Error, Hashable, Sendable {
    /// Its instant lies so much before that of the entry before.
    case timeWentBack(by: Duration)
    /// A request or subscription whose number was used before.
    case usedTwice(Requester)
  }

  /// What the engine made of an entry, beside what is recorded.
  public struct Difference: Hashable, Sendable {
    /// Which entry of those that were played it was, counted from 1.
    public var entry: Int
    /// The digest that is recorded; `nil` for no effects.
    public var recorded: UInt64?
    /// The digest of what the engine did now; `nil` for no effects.
    public var replayed: UInt64?
  }

  /// The engine as the entries so far have left it.
  public private(set) var engine: Engine
  /// Entries played.
  public private(set) var entryCount = 0
  /// Effects of those.
  public private(set) var effectCount = 0
  /// Entries whose effects were not the recorded ones.
  public private(set) var differenceCount = 0
  /// The first of those.
  public private(set) var firstDifference: Difference?
  /// The moment of the last entry.
  public private(set) var now: Moment?

  private var requests: Set<RequestID> = []
  private var subscriptions: Set<SubscriptionID> = []
  private var digester = EffectDigester()

  /// A player at the beginning of a journal.
  public init(_ header: JournalHeader) {
    engine = Engine(settings: header.settings)
  }

  /// Gives the engine an entry's input, and replaces the effects with what it made of it.
  ///
  /// - Returns: whether they are the recorded ones.
  /// - Throws: where the engine can't be given that; it has then not been called.
  @discardableResult
  public mutating func play(_ entry: JournalEntry, into effects: inout [Effect]) throws(Fault) -> Bool {
    effects.removeAll(keepingCapacity: true)
    if let now, entry.moment.instant < now.instant {
      throw .timeWentBack(by: now.instant.since(entry.moment.instant))
    }
    switch entry.input {
    case .request(let id, _):
      guard requests.insert(id).inserted else { throw .usedTwice(.request(id)) }
    case .subscribe(let id, _):
      guard subscriptions.insert(id).inserted else { throw .usedTwice(.subscription(id)) }
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

extension JournalPlayer.Fault {
  /// What is wrong, as the end of "could not …".
  public var message: String {
    switch self {
    case .timeWentBack(let duration): "time goes back by \(duration)"
    case .usedTwice(.request(let id)): "request \(id.number) is made twice"
    case .usedTwice(.subscription(let id)): "subscription \(id.number) is made twice"
    case .usedTwice(.fences): "fences are made twice"
    }
  }
}
