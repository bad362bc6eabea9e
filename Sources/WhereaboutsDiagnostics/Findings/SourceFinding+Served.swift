package import WhereaboutsModel

extension SourceFinding {
  /// The name of the finding about the source of a server. No argument names that source: commands use it without one.
  static let serverName = "whereabouts serve"

  /// Creates the finding about the sources of a server of this machine; `nil` without one.
  init?(served sources: [SourceHealth]) {
    guard let best = sources.first(where: { $0.state == .ok }) ?? sources.first else { return nil }
    self.init(
      name: Self.serverName, state: Self.state(of: best),
      facts: sources.map { "its source \($0.name): \($0.state.rawValue)" })
    guard state != .delivers else { return }
    problem = best.problem
    remedy = best.problem?.remedy
  }

  private static func state(of source: SourceHealth) -> State {
    if source.state == .ok { return .delivers }
    switch source.problem?.code {
    case .notPermitted?: return .denied
    case .inUse?: return .inUse
    case .notUnderstood?: return .notUnderstood
    case .unusable?, .unreadable?: return .unusable
    case .unreachable?, .noReceiver?: return .absent
    case .silent?: return .silent
    default: return source.state == .failed ? .unusable : .noFix
    }
  }
}

extension Diagnosis {
  /// Adds the finding about the sources of a server of this machine, before those of the sources that it may use.
  package mutating func add(served: [SourceHealth]) {
    if let finding = SourceFinding(served: served) { sources.insert(finding, at: 0) }
  }
}
