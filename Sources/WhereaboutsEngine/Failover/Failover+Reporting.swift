import WhereaboutsModel

/// The failover's combined reports to the engine.
extension Failover {
  /// Reports a refusal only where no other source could give a fix: other sources may still be allowed.
  mutating func reportAuthorization(into effects: inout [Effect]) {
    guard demand != .off else { return }
    let refusal = members.first { $0.isActive && $0.isRefused }?.authorization
    let isRefused = refusal != nil && used == nil && members.allSatisfy(\.isUnavailable)
    // A source that is reached is allowed, long before it has a fix.
    let isFound = reported.isCheckedAgain && members.contains { $0.isActive && $0.isReached }
    guard isRefused != reported.isRefused || isFound && !isRefused else { return }
    // A refusal still holds while another source may yet deliver.
    if !isRefused, used == nil, refusal != nil, !members.contains(where: \.isSearching) { return }
    (reported.isRefused, reported.isCheckedAgain) = (isRefused, false)
    // Sources without a demand send no signals, so the next demand has to make them check again.
    var authorization = isRefused ? refusal : nil
    authorization?.noticesChanges = false
    effects.append(.forward(.authorization(authorization ?? Authorization(.always))))
  }

  /// Reports the problem when delivery stops, and when its reason changes.
  mutating func reportProblem(into effects: inout [Effect]) {
    // A source that is off is not awaited: it has no compass either, or may not be asked.
    if !members.allSatisfy({ !$0.isActive || $0.hasNoHeadings || $0.hasEnded }) {
      reported.hasNoHeadings = false
    } else if demand.headings != nil, !reported.hasNoHeadings {
      reported.hasNoHeadings = true
      let problem = members.lazy.compactMap(\.headingProblem).first
      effects.append(
        .forward(
          .headingsUnavailable(
            problem ?? SourceProblem(.noCompass, message: "find a source with a compass"))
        ))
    }
    if members.allSatisfy(\.hasEnded) {
      if !reported.hasEnded { effects.append(.forward(.ended)) }
      reported.hasEnded = true
      return
    }
    let isDelivering = used != nil && demand.fixes != .off
    guard suffersFromProblems, !isDelivering, !reported.isRefused else {
      if isDelivering || !suffersFromProblems { reported.problem = nil }
      return
    }
    guard let problem = commonProblem, problem != reported.problem else { return }
    reported.problem = problem
    // Waiting helps only if one of the sources continues to try by itself.
    let isHopeless = members.allSatisfy { $0.hasEnded || $0.hasGivenUp }
    effects.append(.forward(isHopeless ? .failed(problem) : .unavailable(problem)))
  }

  /// Whether the demand suffers from the problems of the sources. Headings need no position, but a source that sends
  /// data and has a compass.
  private var suffersFromProblems: Bool {
    if demand.fixes != .off { return true }
    return demand.headings != nil && !reported.hasNoHeadings
      && members.allSatisfy { !$0.isActive || $0.state == .failed || $0.headingObstacle != nil }
  }

  /// The problem of the source that is nearest to a fix; if none can be reached, the common problem of all.
  private var commonProblem: SourceProblem? {
    let asked = members.filter(\.isActive)
    if demand.fixes == .off { return Self.joined(asked.compactMap(\.headingObstacle)) }
    let near = asked.filter { $0.state == .noFix || $0.state == .stale }
    if let problem = near.lazy.compactMap(\.problem).first { return problem }
    // A source that connects, or has only reported satellites so far, may deliver soon.
    guard !asked.contains(where: \.isSearching) else { return nil }
    return Self.joined(asked.compactMap(\.problem))
  }

  /// Returns several problems as one with the code of the first; `nil` for none.
  private static func joined(_ problems: [SourceProblem]) -> SourceProblem? {
    guard let first = problems.first else { return nil }
    if problems.count == 1 { return first }
    let remedies = problems.compactMap(\.remedy)
    return SourceProblem(
      first.code, message: problems.map(\.message).joined(separator: ", nor "),
      remedy: remedies.isEmpty ? nil : remedies.joined(separator: " Or: "))
  }

  mutating func reportHealth(into effects: inout [Effect]) {
    let health = members.indices.map { members[$0].health(isUsed: $0 == used) }
    guard health != reported.health else { return }
    reported.health = health
    effects.append(.forward(.sources(health)))
  }
}
