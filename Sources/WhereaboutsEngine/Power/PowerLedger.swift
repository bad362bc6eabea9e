public import WhereaboutsModel

/// Receiver usage added up over a span of time: the time on, by demand, user and reason.
///
/// A usage that crosses an end of the span counts with its part inside. The times by user add up to more than the whole
/// if several users needed the receiver at once.
public struct PowerLedger: Hashable, Sendable {
  /// A row's key: the preset in force and the reason for the demand.
  public struct Reason: Hashable, Sendable {
    /// The name of the preset in force.
    public var preset: String
    /// The reason for the demand.
    public var reason: PowerDecision.Reason
  }

  /// A row of the ledger: a key and its time.
  public struct Row<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The key of the row.
    public var key: Key
    /// The total time of the key.
    public var time: Duration
  }

  /// The span of time that the ledger covers.
  public let span: Range<UTCTime>
  /// The time for which anything was requested from the source.
  public private(set) var timeOn = Duration.zero
  /// The times by demand, the longest first. Activities are left out, because they are hints.
  public private(set) var byDemand: [Row<Demand>] = []
  /// The times by user, the longest first.
  public private(set) var byUser: [Row<ReceiverUsers>] = []
  /// The times by reason, the longest first.
  public private(set) var byReason: [Row<Reason>] = []
  /// The time on in each of the equal parts of the span, in order.
  public private(set) var parts: [Duration]
  /// The number of usages that overlap the span.
  public private(set) var count = 0

  /// Creates a ledger of the usages within a span.
  ///
  /// - Parameters:
  ///   - usages: the usages, in any order; a usage without a known time is left out.
  ///   - span: the span of time.
  ///   - count: the number of equal parts of the span; 24 parts of a day are an hour each.
  ///   - now: the present time. Where it is inside the span, usage after it does not count: a receiver's date may be
  ///     ahead. `nil` counts the whole span.
  public init(
    _ usages: some Sequence<ReceiverUsage>, in span: Range<UTCTime>, parts count: Int = 24,
    until now: UTCTime? = nil
  ) {
    self.span = span
    parts = Array(repeating: .zero, count: max(count, 1))
    var demands: [Demand: Duration] = [:], users: [ReceiverUsers: Duration] = [:]
    var reasons: [Reason: Duration] = [:]
    let last = now.flatMap { span.contains($0) ? $0 : nil } ?? span.upperBound
    for usage in usages {
      guard let began = usage.began, let end = usage.end else { continue }
      let from = max(began, span.lowerBound), to = min(end, last)
      guard from < to else { continue }
      let time = to.since(from)
      self.count += 1
      timeOn += time
      demands[usage.demand.withoutActivity, default: .zero] += time
      for kind in ReceiverUsers.named where usage.users.contains(kind.users) {
        users[kind.users, default: .zero] += time
      }
      reasons[Reason(preset: usage.preset, reason: usage.reason), default: .zero] += time
      spread(from, to)
    }
    byDemand = Self.rows(demands) { "\($0)" }
    byUser = Self.rows(users) { "\($0.rawValue)" }
    byReason = Self.rows(reasons) { "\($0.preset) \($0.reason.rawValue)" }
  }

  /// Returns the share of the span for which the receiver was on, in 0...1; of the past part only, where `now` is
  /// inside.
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

  /// Returns rows with the longest first; rows of equal length in an order that is always the same.
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
