package import WhereaboutsEngine
package import WhereaboutsModel

/// A day's ledger of the receiver and the current power state, as text and as JSON.
package struct PowerReport {
  /// The host's current power state and the resulting preset.
  package struct CurrentState {
    var state: PowerState
    var decision: PowerDecision

    package init(_ settings: PowerSettings, _ state: PowerState, at now: UTCTime) {
      self.state = state
      var policy = PowerPolicy(settings)
      decision = policy.decide(PowerSituation(state: state, time: now))
    }
  }

  var ledger: PowerLedger
  var now: UTCTime
  /// The last use of the receiver on that day.
  var last: ReceiverUsage?
  var current: CurrentState

  package init(ledger: PowerLedger, now: UTCTime, last: ReceiverUsage? = nil, current: CurrentState) {
    self.ledger = ledger
    self.now = now
    self.last = last
    self.current = current
  }

  private var isToday: Bool { ledger.span.contains(now) }

  // MARK: Text

  package var lines: [String] {
    var lines = [headline]
    if ledger.count > 0 {
      lines += bar
      lines += table("Asked for", ledger.byDemand.map { (TermsText.demand($0.key), $0.time) })
      lines += table("Consumer", ledger.byUser.map { (Self.name($0.key), $0.time) })
      lines += table("Reason", ledger.byReason.map { (Self.name($0.key), $0.time) })
    }
    if isToday {
      if let last, last.isOpen { lines.append(entry("Last", Self.usageText(last))) }
      lines.append(entry("Power", PowerText.text(current.state)))
      lines.append(entry("Preset", PowerText.preset(current.decision)))
    }
    return lines.map(\.sanitizedToOneLine)
  }

  /// The summary line: `2024-05-14: on for 3 h 12 min of 17 h 40 min, 18 %`.
  private var headline: String {
    let day = ledger.span.lowerBound.dateText
    guard ledger.count > 0 else {
      return isToday && last?.isOpen == true
        ? "\(day): the receiver was turned on; its time is recorded once a minute"
        : "\(day): the receiver was not asked for anything"
    }
    let passed = min(max(now, ledger.span.lowerBound), ledger.span.upperBound).seconds(
      since: ledger.span.lowerBound)
    let share = (ledger.share(by: now) * 100).fixed(ledger.share(by: now) < 0.1 ? 1 : 0)
    return """
      \(day): on for \(TermsText.duration(ledger.timeOn)) of \(Quantities.duration(passed.rounded())), \(share) %
      """
  }

  /// A bar for each hour, as high as the share of the hour in which the receiver was on, with the hours below.
  private var bar: [String] {
    let steps: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    let hour = ledger.span.upperBound.seconds(since: ledger.span.lowerBound) / Double(ledger.parts.count)
    let columns = ledger.parts.map { time -> String in
      let share = min(time.inSeconds / hour, 1)
      // Any use of the receiver is visible.
      let step = share == 0 ? 0 : max(1, Int((share * 8).rounded()))
      return String(repeating: steps[step], count: 2)
    }
    return [entry("", columns.joined()), entry("", "00    03    06    09    12    15    18    21    24")]
  }

  private func table(_ title: String, _ rows: [(String, Duration)]) -> [String] {
    rows.enumerated().map { index, row in
      let time = TermsText.duration(.seconds(row.1.inSeconds.rounded())).padded(to: 12, onLeft: true)
      return entry(index == 0 ? title : "", "\(time)  \(row.0)")
    }
  }

  private func entry(_ title: String, _ text: String) -> String { "\(title.padded(to: 11))\(text)" }

  private static func name(_ users: ReceiverUsers) -> String {
    let names = ReceiverUsers.named.filter { users.contains($0.users) }.map(\.name)
    return names.joined(separator: ", ")
  }

  private static func name(_ reason: PowerLedger.Reason) -> String {
    "\(reason.preset): \(PowerText.text(reason.reason))"
  }

  private static func usageText(_ usage: ReceiverUsage) -> String {
    let since = usage.began.map { " since \($0.clockText)" } ?? ""
    let until = usage.end.map { ", at least until \($0.clockText)" } ?? ""
    return "\(TermsText.demand(usage.demand)) for \(name(usage.users))\(since)\(until)"
  }

  // MARK: JSON

  package var json: JSONObject {
    var object = JSONObject()
    object.add("day", ledger.span.lowerBound.dateText)
    object.add("on", Self.seconds(ledger.timeOn))
    object.add("share", ledger.share(by: now).rounded(to: 1e4))
    object.add("usages", ledger.count)
    object.add("asked", Self.list(ledger.byDemand) { TermsText.demand($0) })
    object.add("consumers", Self.list(ledger.byUser) { Self.name($0) })
    object.add("reasons", Self.list(ledger.byReason) { "\($0.preset): \($0.reason.rawValue)" })
    var hours = JSONObject()
    for (hour, time) in ledger.parts.enumerated() {
      hours.add(hour < 10 ? "0\(hour)" : "\(hour)", Self.seconds(time))
    }
    object.add("hours", hours)
    if isToday {
      var power = JSONObject()
      power.add("foreground", current.state.isForeground)
      power.add("charging", current.state.isCharging)
      power.add("battery", current.state.batteryLevel)
      power.add("lowPowerMode", current.state.isLowPowerMode)
      object.add("power", power)
      object.add("preset", current.decision.preset)
      object.add("rule", current.decision.rule.map { $0 + 1 })
    }
    return object
  }

  private static func list<Key>(_ rows: [PowerLedger.Row<Key>], name: (Key) -> String) -> JSONObject {
    var object = JSONObject()
    for row in rows { object.add(name(row.key), seconds(row.time)) }
    return object
  }

  private static func seconds(_ duration: Duration) -> Double { duration.inSeconds.rounded(to: 1e3) }
}
