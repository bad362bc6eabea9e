/// Spells of the receiver added up over a span of time: how long it was on, as what, for whom and why.
///
/// A spell that reaches over an end of the span counts with its part inside. What is counted for whom adds up to more than
/// the whole where several needed it at once.
public struct PowerLedger: Hashable, Sendable {
  /// What was asked of the source and why that, as rows of a ledger.
  public struct Reason: Hashable, Sendable {
    /// The name of the preset in force.
    public var preset: String
    /// Why.
    public var reason: PowerDecision.Reason
  }

  /// A row: what, and how long.
  public struct Row<Key: Hashable & Sendable>: Hashable, Sendable {
    /// What.
    public var key: Key
    /// How long.
    public var time: Duration
  }

  /// Which time it is about.
  public let span: Range<UTCTime>
  /// How long anything was asked of the source.
  public private(set) var timeOn = Duration.zero
  /// By what was asked of it, the longest first. Activities are left out: they are hints.
  public private(set) var byDemand: [Row<Demand>] = []
  /// By who needed it, the longest first.
  public private(set) var byUser: [Row<ReceiverUsers>] = []
  /// By why that was asked, the longest first.
  public private(set) var byReason: [Row<Reason>] = []
  /// In each of the parts into which the span was cut, in order.
  public private(set) var parts: [Duration]
  /// How many spells reached into it.
  public private(set) var count = 0

  /// Adds up.
  ///
  /// - Parameters:
  ///   - spells: in any order; those of which nobody knows when they were are left out.
  ///   - span: of which time.
  ///   - count: into how many equal parts the span is cut; an hour each for a day in 24.
  public init(_ spells: some Sequence<ReceiverSpell>, in span: Range<UTCTime>, parts count: Int = 24) {
    self.span = span
    parts = Array(repeating: .zero, count: max(count, 1))
    var demands: [Demand: Duration] = [:], users: [ReceiverUsers: Duration] = [:]
    var reasons: [Reason: Duration] = [:]
    for spell in spells {
      guard let began = spell.began, let end = spell.end else { continue }
      let from = max(began, span.lowerBound), to = min(end, span.upperBound)
      guard from < to else { continue }
      let time = to.since(from)
      self.count += 1
      timeOn += time
      demands[spell.demand.withoutActivity, default: .zero] += time
      for kind in ReceiverUsers.named where spell.users.contains(kind.users) {
        users[kind.users, default: .zero] += time
      }
      reasons[Reason(preset: spell.preset, reason: spell.reason), default: .zero] += time
      spread(from, to)
    }
    byDemand = Self.rows(demands) { "\($0)" }
    byUser = Self.rows(users) { "\($0.rawValue)" }
    byReason = Self.rows(reasons) { "\($0.preset) \($0.reason.rawValue)" }
  }

  /// The share of a time that it was on, in 0...1: of the span, or of what has passed of it by now.
  public func share(by now: UTCTime) -> Double {
    let passed = min(max(now, span.lowerBound), span.upperBound).seconds(since: span.lowerBound)
    return passed > 0 ? min(timeOn.inSeconds / passed, 1) : 0
  }

  private mutating func spread(_ from: UTCTime, _ to: UTCTime) {
    let width = span.upperBound.seconds(since: span.lowerBound) / Double(parts.count)
    guard width > 0 else { return }
    func part(_ time: UTCTime) -> Int {
      min(max(Int(time.seconds(since: span.lowerBound) / width), 0), parts.count - 1)
    }
    for index in part(from)...part(to) {
      let start = span.lowerBound.advanced(by: .seconds(width * Double(index)))
      let end = span.lowerBound.advanced(by: .seconds(width * Double(index + 1)))
      let time = min(to, end).since(max(from, start))
      if time > .zero { parts[index] += time }
    }
  }

  /// The longest first; of one length in an order that is always the same.
  private static func rows<Key>(_ times: [Key: Duration], name: (Key) -> String) -> [Row<Key>] {
    times.map { (row: Row(key: $0, time: $1), name: name($0)) }
      .sorted { $0.row.time != $1.row.time ? $0.row.time > $1.row.time : $0.name < $1.name }
      .map(\.row)
  }
}

extension Demand {
  fileprivate var withoutActivity: Demand {
    guard case .continuous(var wanted) = fixes else { return self }
    wanted.activity = .other
    return Demand(fixes: .continuous(wanted), headings: headings)
  }
}
