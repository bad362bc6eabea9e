/// What several sources together say to the engine.
extension Failover {
  /// Fixes may not be had only where nothing else could give any: who may not use one source may use the next.
  mutating func tellPermission(into effects: inout [Effect]) {
    guard demand != .off else { return }
    let refusal = members.first { $0.isAsked && $0.isRefused }?.authorization
    let isRefused = refusal != nil && used == nil && members.allSatisfy(\.isAbsent)
    guard isRefused != told.isRefused else { return }
    // Where another may come to deliver yet, that it is refused stands until it does.
    if !isRefused, used == nil, refusal != nil, !members.contains(where: \.isLooking) { return }
    told.isRefused = isRefused
    // Sources of which nothing is asked are not listened to, so whoever asks next has to make them look again.
    var authorization = isRefused ? refusal : nil
    authorization?.noticesChanges = false
    effects.append(.pass(.authorization(authorization ?? Authorization(.always))))
  }

  /// Why nothing is delivered, said when it begins and when the reason changes.
  mutating func tellTrouble(into effects: inout [Effect]) {
    if demand.headings != nil, !told.hasNoHeadings, members.allSatisfy({ $0.hasNoHeadings || $0.isOver }) {
      told.hasNoHeadings = true
      let trouble = members.lazy.compactMap(\.headingTrouble).first
      effects.append(
        .pass(
          .headingsUnavailable(
            trouble ?? SourceTrouble(.noCompass, message: "find anything that tells where the device points"))
        ))
    } else if members.contains(where: { !$0.hasNoHeadings && !$0.isOver }) {
      told.hasNoHeadings = false
    }
    if members.allSatisfy(\.isOver) {
      if !told.isOver { effects.append(.pass(.ended)) }
      told.isOver = true
      return
    }
    guard demand.fixes != .off, used == nil, !told.isRefused else {
      if used != nil || demand.fixes == .off { told.trouble = nil }
      return
    }
    guard let trouble = commonTrouble, trouble != told.trouble else { return }
    told.trouble = trouble
    // Waiting helps only where one of them goes on trying by itself.
    let isHopeless = members.allSatisfy { $0.isOver || $0.hasGivenUp }
    effects.append(.pass(isHopeless ? .failed(trouble) : .unavailable(trouble)))
  }

  /// Of the one that is nearest to a fix; where none can be reached, of all together.
  private var commonTrouble: SourceTrouble? {
    let asked = members.filter(\.isAsked)
    if let near = asked.first(where: { $0.state == .noFix || $0.state == .stale }), let trouble = near.trouble
    {
      return trouble
    }
    guard !asked.contains(where: { $0.state == .connecting }) else { return nil }
    let troubles = asked.compactMap(\.trouble)
    guard let first = troubles.first else { return nil }
    if troubles.count == 1 { return first }
    let remedies = troubles.compactMap(\.remedy)
    return SourceTrouble(
      first.code, message: troubles.map(\.message).joined(separator: ", nor "),
      remedy: remedies.isEmpty ? nil : remedies.joined(separator: " Or: "))
  }

  mutating func tellHealth(into effects: inout [Effect]) {
    let health = members.indices.map { members[$0].health(isUsed: $0 == used) }
    guard health != told.health else { return }
    told.health = health
    effects.append(.pass(.sources(health)))
  }
}
