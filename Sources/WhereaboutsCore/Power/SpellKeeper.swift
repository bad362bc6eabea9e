/// Writes down for how long what was asked of the source, and for whom.
struct SpellKeeper: Sendable {
  /// A wall clock that is set back by less than this is being corrected, and spells follow one another all the same; one
  /// that is set back by more was wrong.
  private static let correction = Duration.seconds(60)

  /// What makes a spell another.
  struct Use: Equatable, Sendable {
    var demand = Demand.off
    var users: ReceiverUsers = []
    var preset = ""
    var reason = PowerDecision.Reason.asAsked
  }

  private var use = Use()
  private var since: Instant?
  private var number: UInt64 = 0
  private var lastEnd: UTCTime?

  /// Goes on with the numbers of another process, whose last spell this was.
  mutating func restore(_ last: ReceiverSpell?) {
    guard let last, since == nil else { return }
    number = last.number
    lastEnd = last.end
  }

  /// The spell that goes on, as of now.
  func current(at now: Instant, time: UTCTime?) -> ReceiverSpell? {
    since.map { spell(since: $0, at: now, time: time, isOpen: true) }
  }

  /// Whether that is what is being written down already; costs a few comparisons.
  func isSame(_ demand: Demand, _ users: ReceiverUsers, _ reason: PowerDecision.Reason) -> Bool {
    users == use.users && reason == use.reason && demand == use.demand
  }

  /// Notes what is asked from now on.
  ///
  /// - Parameter spells: those that end and begin with it are appended.
  mutating func change(to new: Use, at now: Instant, time: UTCTime?, into spells: inout [ReceiverSpell]) {
    guard new != use else { return }
    let isOn = new.demand != .off
    if let since, since < now || !isOn {
      let ended = spell(since: since, at: now, time: time, isOpen: false)
      spells.append(ended)
      lastEnd = ended.end
      self.since = nil
    }
    use = new
    guard isOn else { return }
    // What has lasted no time at all is as if it had not been.
    if since == nil { number += 1 }
    since = now
    spells.append(spell(since: now, at: now, time: time, isOpen: true))
  }

  private func spell(since: Instant, at now: Instant, time: UTCTime?, isOpen: Bool) -> ReceiverSpell {
    let duration = now.since(since)
    // By what the clock says now: it may have been set since it began.
    var began = time?.advanced(by: .zero - duration)
    if let last = lastEnd, let start = began, start < last, last.since(start) < Self.correction {
      began = last
    }
    return ReceiverSpell(
      number: number, began: began, duration: duration, demand: use.demand, users: use.users,
      preset: use.preset, reason: use.reason, isOpen: isOpen)
  }
}
