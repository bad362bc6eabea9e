import WhereaboutsModel

/// A recorder of the demands on the source, with their durations and users.
struct ReceiverUsageRecorder: Sendable {
  /// The greatest step back that counts as a correction of the wall clock, after which usages still follow one
  /// another. A larger step back means that the clock was wrong.
  private static let clockCorrection = Duration.seconds(60)

  /// The key whose change begins a new usage.
  struct UsageKey: Equatable, Sendable {
    var demand = Demand.off
    var users: ReceiverUsers = []
    var preset = ""
    var reason = PowerDecision.Reason.asAsked
  }

  private var currentKey = UsageKey()
  private var since: Instant?
  private var number: UInt64 = 0
  private var lastEnd: UTCTime?

  /// Continues the numbering of another process, whose last usage this was. Usages before this call are not stored.
  mutating func restore(_ last: ReceiverUsage?) {
    guard let last else { return }
    number += last.number
    lastEnd = lastEnd ?? last.end
  }

  /// Returns the open usage, as of now.
  func current(at now: Instant, time: UTCTime?) -> ReceiverUsage? {
    since.map { usage(since: $0, at: now, time: time, isOpen: true) }
  }

  /// Returns whether this demand is being recorded already; costs a few comparisons.
  func isCurrent(_ demand: Demand, _ users: ReceiverUsers, _ reason: PowerDecision.Reason) -> Bool {
    users == currentKey.users && reason == currentKey.reason && demand == currentKey.demand
  }

  /// Records the demand from now on.
  ///
  /// - Parameter usages: receives the usages that end and begin with the change.
  mutating func change(to new: UsageKey, at now: Instant, time: UTCTime?, into usages: inout [ReceiverUsage])
  {
    guard new != currentKey else { return }
    let isOn = new.demand != .off
    if let since, since < now || !isOn {
      let ended = usage(since: since, at: now, time: time, isOpen: false)
      usages.append(ended)
      lastEnd = ended.end
      self.since = nil
    }
    currentKey = new
    guard isOn else { return }
    // A usage of zero duration counts as if it had not been.
    if since == nil { number += 1 }
    since = now
    usages.append(usage(since: now, at: now, time: time, isOpen: true))
  }

  private func usage(since: Instant, at now: Instant, time: UTCTime?, isOpen: Bool) -> ReceiverUsage {
    let duration = now.since(since)
    // The clock's present reading counts: the clock may have been set since the usage began.
    var began = time?.advanced(by: .zero - duration)
    if let last = lastEnd, let start = began, start < last, last.since(start) < Self.clockCorrection {
      began = last
    }
    return ReceiverUsage(
      number: number, began: began, duration: duration, demand: currentKey.demand, users: currentKey.users,
      preset: currentKey.preset, reason: currentKey.reason, isOpen: isOpen)
  }
}
