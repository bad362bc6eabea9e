import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// The answer to a question about a fence, for people and as JSON. It says how far from the boundary, and not where.
struct FenceInquiryText {
  let inquiry: FenceInquiry

  /// Seconds without a fix after which that is why nothing could be seen.
  private static let silence = 60.0

  /// What there is to say.
  var lines: [String] {
    guard let at = inquiry.at, let fence = inquiry.fence else { return [] }
    var entries = [("", "\(fence.id) at \(at.dateText) \(at.clockText) UTC")]
    entries.append(("Side", side))
    entries.append(("Last fix", lastFix(at)))
    if let sure { entries.append(("Sure", sure)) }
    entries.append(("Waiting", waiting))
    if let before { entries.append(("Before", before)) }
    entries += next(at).map { ("Next", $0) }
    return entries.map { $0.0.isEmpty ? $0.1 : "  \($0.0.padded(to: 10))\($0.1)" }
  }

  private var side: String {
    guard let state = inquiry.state, state.side != .unknown else { return "not known yet" }
    return ShapeText.state(state)
  }

  private func lastFix(_ at: UTCTime) -> String {
    guard let fix = inquiry.lastFix, let time = fix.time else { return "none before that" }
    let age = at.seconds(since: time)
    var text = "\(time.clockText), \(Quantities.duration((age * 10).rounded() / 10)) before"
    if let distance = inquiry.distance { text += "; \(FenceText.place(distance.metres)) the boundary" }
    text += fix.horizontalAccuracy.map { " ±\(Quantities.accuracy($0))" } ?? ", accuracy not stated"
    if age > Self.silence { text += ". Nobody saw the device then" }
    return text
  }

  private var sure: String? {
    guard let state = inquiry.state, let inside = state.probabilityInside, let terms = inquiry.fence?.terms
    else {
      return nil
    }
    let outside = 1 - inside
    switch state.side {
    case .inside:
      return
        "\(percent(outside)) that it is outside; to have left \(percent(terms.exitConfidence)) are needed"
    case .outside, .unknown:
      return
        "\(percent(inside)) that it is inside; to have entered \(percent(terms.enterConfidence)) are needed"
    }
  }

  private func percent(_ share: Double) -> String { "\((share * 100).fixed(1)) %" }

  private var waiting: String {
    inquiry.waitsFor.map(FenceText.reason) ?? "for nothing: it did not look like a crossing"
  }

  private var before: String? {
    if let decided = inquiry.lastDecision, inquiry.waitsFor == nil {
      return "\(decided.time.clockText), \(FenceText.reason(decided.decision))"
    }
    return inquiry.lastEvent.map(FenceText.text)
  }

  private func next(_ at: UTCTime) -> [String] {
    var lines: [String] = []
    if let time = inquiry.nextFix, time.seconds(since: inquiry.lastFix?.time ?? at) > Self.silence {
      lines.append("\(time.clockText), the first fix after that")
    }
    if let decided = inquiry.nextDecision, inquiry.nextEvent.map({ decided.time < $0.decided }) ?? true {
      lines.append("\(decided.time.clockText), \(FenceText.reason(decided.decision))")
    }
    if let event = inquiry.nextEvent { lines.append(FenceText.text(event)) }
    if lines.isEmpty { lines.append("nothing more was decided about it") }
    return lines
  }

  /// Appends the answer as one object.
  func append(to bytes: inout [UInt8]) {
    guard let at = inquiry.at, let fence = inquiry.fence else { return }
    bytes.putObject {
      $0.put("fence", fence.id.name)
      $0.put("at", at)
      $0.put("side", inquiry.state?.side.rawValue)
      $0.put("since", inquiry.state?.since)
      $0.put("probabilityInside", inquiry.state?.probabilityInside?.rounded(to: 1e6))
      $0.put("enterConfidence", fence.terms.enterConfidence)
      $0.put("exitConfidence", fence.terms.exitConfidence)
      $0.put("lastFix", inquiry.lastFix?.time)
      $0.put("hacc", inquiry.lastFix?.horizontalAccuracy)
      $0.put("distance", inquiry.distance?.metres.rounded(to: 1e3))
      if let waits = inquiry.waitsFor { $0.put("waitsFor") { $0.put(waits) } }
      if let decided = inquiry.lastDecision { put("before", decided, to: &$0) }
      if let event = inquiry.lastEvent { $0.put("lastEvent") { $0.put(event, hidingPlace: true) } }
      $0.put("nextFix", inquiry.nextFix)
      if let decided = inquiry.nextDecision { put("next", decided, to: &$0) }
      if let event = inquiry.nextEvent { $0.put("nextEvent") { $0.put(event, hidingPlace: true) } }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private func put(_ key: StaticString, _ decided: FenceInquiry.Decided, to bytes: inout [UInt8]) {
    bytes.put(key) {
      $0.put("time", decided.time)
      $0.put(decided.decision)
    }
  }
}
