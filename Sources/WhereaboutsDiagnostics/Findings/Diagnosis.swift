import WhereaboutsSystem

/// The findings about a machine and its sources.
public struct Diagnosis: Equatable, Sendable {
  /// The findings about each source.
  public var sources: [SourceFinding] = []
  /// The findings about the machine: its clock, power supply and compass, and the command's store.
  public var machine: [MachineFinding] = []

  /// Creates a diagnosis.
  ///
  /// - Parameters:
  ///   - sources: the findings about each source.
  ///   - machine: the findings about the machine.
  public init(sources: [SourceFinding] = [], machine: [MachineFinding] = []) {
    self.sources = sources
    self.machine = machine
  }

  /// The overall result.
  public enum Verdict: String, CaseIterable, Sendable {
    /// A source delivers fixes.
    case delivers
    /// A source works, but has no position.
    case noFix = "no fix"
    /// A source is present, but this program may not use it.
    case notPermitted = "not permitted"
    /// A source is present, but another program uses it.
    case inUse = "in use"
    /// A source is present, but sends nothing.
    case silent
    /// There are sources, but none of them works.
    case nothing
    /// There is no source.
    case absent
  }

  /// The overall result: that of the source that is closest to a fix.
  public var verdict: Verdict {
    let verdicts: [(SourceFinding.State, Verdict)] = [
      (.delivers, .delivers), (.noFix, .noFix), (.denied, .notPermitted), (.inUse, .inUse),
      (.silent, .silent), (.notUnderstood, .nothing), (.unusable, .nothing),
    ]
    let states = sourcesBeforeDeniedService.map(\.state)
    if let (_, verdict) = verdicts.first(where: { states.contains($0.0) }) { return verdict }
    if sources.contains(where: { $0.state == .denied }) { return .notPermitted }
    return sources.allSatisfy { $0.state == .absent } ? .absent : .nothing
  }

  /// All sources but a desktop's location service that denies access. A connected receiver needs no such permission,
  /// and is closer to a fix even if it is in use or silent.
  private var sourcesBeforeDeniedService: [SourceFinding] {
    sources.filter { $0.name != "geoclue" || $0.state != .denied }
  }

  /// The recommended next step; `nil` if there is none.
  public var nextStep: String? {
    let delivering = sources.filter { $0.state == .delivers }
    if let source = delivering.first(where: { $0.delivery?.accuracy != nil }) ?? delivering.first {
      if source.name == SourceFinding.serverName { return "`whereabouts now`" }
      // `now` waits for an accuracy, which a fix of unknown accuracy never has.
      let command = source.delivery?.accuracy == nil ? "watch" : "now"
      return "`whereabouts \(command) --source \(source.name.shellQuoted)`"
    }
    func remedy(_ states: [SourceFinding.State], of sources: [SourceFinding]) -> String? {
      states.lazy.compactMap { state in
        sources.first { $0.state == state && $0.remedy != nil }?.remedy
      }.first
    }
    return remedy(
      [.noFix, .denied, .inUse, .notUnderstood, .unusable, .silent], of: sourcesBeforeDeniedService)
      ?? remedy([.denied, .absent], of: sources)
  }
}
