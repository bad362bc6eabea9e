import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// The answer to a question about a fence as text and as JSON. The answer holds the distance from the boundary, but
/// no coordinates.
package struct FenceInquiryText {
  let inquiry: FenceInquiry

  package init(inquiry: FenceInquiry) {
    self.inquiry = inquiry
  }

  /// The time without a fix, in seconds, from which the silence is the stated reason.
  private static let silenceThreshold = 60.0

  /// The lines of the answer.
  package var lines: [String] {
    guard let at = inquiry.at, let fence = inquiry.fence else { return [] }
    var entries = [("", "\(fence.id) at \(at.dateText) \(at.clockText) UTC")]
    entries.append(("Side", side))
    entries.append(("Last fix", lastFix(at)))
    if let unused { entries.append(("Refused", unused)) }
    if inquiry.removal == nil {
      if let sure { entries.append(("Sure", sure)) }
      entries.append(("Waiting", pendingText))
    }
    if let before { entries.append(("Before", before)) }
    entries += nextLines.map { ("Next", $0) }
    return entries.map { $0.0.isEmpty ? $0.1 : "  \($0.0.padded(to: 10))\($0.1)" }
  }

  private var side: String {
    if let removal = inquiry.removal { return "none: \(text(removal))" }
    guard let state = inquiry.state, state.side != .unknown else { return "not known yet" }
    return ShapeText.state(state)
  }

  private func text(_ removal: FenceInquiry.Removal) -> String {
    let time = removal.time.map { " at \($0.clockText)" } ?? ""
    return switch removal.reason {
    case .once?: "the fence was removed\(time), after its one event"
    case .expired?: "the fence expired\(time)"
    case nil: "the fence was removed\(time)"
    }
  }

  private func lastFix(_ at: UTCTime) -> String {
    guard let fix = inquiry.lastFix, let time = fix.time else { return "none before that" }
    let age = at.seconds(since: time)
    var text = "\(time.clockText), \(Quantities.duration((age * 10).rounded() / 10)) before"
    if let distance = inquiry.distance { text += "; \(FenceText.place(distance.metres)) the boundary" }
    text += fix.horizontalAccuracy.map { " ±\(Quantities.accuracy($0))" } ?? ", accuracy not stated"
    if let refusal = inquiry.lastFixRefusal {
      text += "; refused: \(DecisionText(showsPlaces: false).reason(refusal))"
    }
    if let decision = inquiry.lastFixDecision { text += "; \(FenceText.reason(decision))" }
    if age > Self.silenceThreshold { text += ". Nobody saw the device then" }
    return text
  }

  private var unused: String? {
    inquiry.unused.map {
      let since = inquiry.lastFix == nil ? "" : " since"
      let reason = DecisionText(showsPlaces: false).reason($0.reason)
      return "\(Quantities.count($0.count, "fix", "fixes"))\(since), the last: \(reason)"
    }
  }

  private var sure: String? {
    guard let state = inquiry.state, let inside = state.probabilityInside, let terms = inquiry.fence?.terms
    else {
      return nil
    }
    switch state.side {
    case .inside:
      let (sure, needed) = FenceText.percent(1 - inside, of: terms.exitConfidence)
      return "\(sure) that it is outside; to have left \(needed) are needed"
    case .outside, .unknown:
      let (sure, needed) = FenceText.percent(inside, of: terms.enterConfidence)
      return "\(sure) that it is inside; to have entered \(needed) are needed"
    }
  }

  private var pendingText: String {
    if let pending = inquiry.pendingDecision {
      return "since \(pending.time.clockText): \(FenceText.reason(pending.decision))"
    }
    if let due = inquiry.dwellDue { return "to have stayed inside until \(due.clockText)" }
    guard let state = inquiry.state, state.side != .unknown else {
      return inquiry.lastFix == nil ? "for the first fix" : "to be sure of the first side"
    }
    switch inquiry.lastDecision?.decision {
    case .tooShort?, .notAskedFor?, .outsideHours?: return "for nothing"
    default: return "for nothing: it did not look like a crossing"
    }
  }

  private var before: String? {
    if let decided = inquiry.lastDecision, inquiry.pendingDecision == nil {
      return "\(decided.time.clockText), \(FenceText.reason(decided.decision))"
    }
    return inquiry.lastEvent.map(FenceText.text)
  }

  private var nextLines: [String] {
    guard let at = inquiry.at else { return [] }
    var lines: [String] = []
    if let time = inquiry.nextFix, time.seconds(since: inquiry.lastFix?.time ?? at) > Self.silenceThreshold {
      lines.append("\(time.clockText), the first fix after that")
    }
    var decisions = [inquiry.nextDecision, inquiry.nextOutcome].compactMap { $0 }
    if decisions.count == 2, decisions[0] == decisions[1] { decisions.removeLast() }
    for decided in decisions where inquiry.nextEvent.map({ decided.time < $0.decided }) ?? true {
      lines.append("\(decided.time.clockText), \(FenceText.reason(decided.decision))")
    }
    if let event = inquiry.nextEvent { lines.append(FenceText.text(event)) }
    if let removal = inquiry.nextRemoval { lines.append(text(removal)) }
    if lines.isEmpty { lines.append("nothing more was decided about it") }
    return lines
  }

  /// Appends the answer as one JSON object on a line.
  package func append(to bytes: inout [UInt8]) {
    guard inquiry.at != nil, inquiry.fence != nil else { return }
    bytes.appendJSONObject { appendMembers(to: &$0) }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the members of the answer; nothing before the first fix.
  package func appendMembers(to bytes: inout [UInt8]) {
    guard let at = inquiry.at, let fence = inquiry.fence else { return }
    bytes.appendJSONMember("fence", fence.id.name)
    bytes.appendJSONMember("at", at)
    if let removal = inquiry.removal {
      appendRemoval("removed", removal, to: &bytes)
    } else {
      bytes.appendJSONMember("side", inquiry.state?.side.rawValue)
      bytes.appendJSONMember("since", inquiry.state?.since)
      bytes.appendJSONMember("probabilityInside", inquiry.state?.probabilityInside?.rounded(to: 1e6))
    }
    bytes.appendJSONMember("enterConfidence", fence.terms.enterConfidence)
    bytes.appendJSONMember("exitConfidence", fence.terms.exitConfidence)
    bytes.appendJSONMember("lastFix", inquiry.lastFix?.time)
    bytes.appendJSONMember("hacc", inquiry.lastFix?.horizontalAccuracy)
    bytes.appendJSONMember("distance", inquiry.distance?.metres.rounded(to: 1e3))
    bytes.appendJSONMember("refused", inquiry.lastFixRefusal?.reason.rawValue)
    if let unused = inquiry.unused {
      bytes.appendJSONMember("unused", unused.count)
      bytes.appendJSONMember("unusedBecause", unused.reason.reason.rawValue)
    }
    if let waits = inquiry.pendingDecision { appendDecision("waitsFor", waits, to: &bytes) }
    bytes.appendJSONMember("dwellDue", inquiry.dwellDue)
    if let decided = inquiry.lastDecision { appendDecision("before", decided, to: &bytes) }
    if let event = inquiry.lastEvent {
      bytes.appendJSONMember("lastEvent") { $0.appendJSONMembers(event, hidingPlace: true) }
    }
    bytes.appendJSONMember("nextFix", inquiry.nextFix)
    if let decided = inquiry.nextDecision { appendDecision("next", decided, to: &bytes) }
    if let decided = inquiry.nextOutcome { appendDecision("nextOutcome", decided, to: &bytes) }
    if let event = inquiry.nextEvent {
      bytes.appendJSONMember("nextEvent") { $0.appendJSONMembers(event, hidingPlace: true) }
    }
    if let removal = inquiry.nextRemoval { appendRemoval("nextRemoved", removal, to: &bytes) }
  }

  private func appendRemoval(
    _ key: StaticString, _ removal: FenceInquiry.Removal, to bytes: inout [UInt8]
  ) {
    bytes.appendJSONMember(key) {
      $0.appendJSONMember("time", removal.time)
      $0.appendJSONMember("because", removal.reason?.rawValue)
    }
  }

  private func appendDecision(
    _ key: StaticString, _ decided: FenceInquiry.TimedDecision, to bytes: inout [UInt8]
  ) {
    bytes.appendJSONMember(key) {
      $0.appendJSONMember("decided", decided.time)
      $0.appendJSONMembers(decided.decision, evidenceTime: "time")
    }
  }
}
