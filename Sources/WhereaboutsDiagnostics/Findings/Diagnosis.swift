/// The findings about a machine and its sources.
public struct Diagnosis: Equatable, Sendable {
  /// The findings about each source.
  public var sources: [SourceFinding] = []
  /// The findings about the machine: its clock, power supply and compass.
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
    if sources.contains(where: { $0.state == .delivers }) { return .delivers }
    if sources.contains(where: { $0.state == .noFix }) { return .noFix }
    if sources.contains(where: { $0.state == .denied }) { return .notPermitted }
    if sources.contains(where: { $0.state == .inUse }) { return .inUse }
    if sources.contains(where: { $0.state == .silent }) { return .silent }
    return sources.allSatisfy { $0.state == .absent } ? .absent : .nothing
  }

  /// The recommended next step; `nil` if there is none.
  public var nextStep: String? {
    let delivering = sources.filter { $0.state == .delivers }
    if let source = delivering.first(where: { $0.delivery?.accuracy != nil }) ?? delivering.first {
      // `now` waits for an accuracy, which a fix of unknown accuracy never has.
      let command = source.delivery?.accuracy == nil ? "watch" : "now"
      return "`whereabouts \(command) --source \(source.name.shellQuoted)`"
    }
    let states: [SourceFinding.State] = [
      .noFix, .denied, .inUse, .notUnderstood, .unusable, .silent, .absent,
    ]
    for state in states {
      if let remedy = sources.first(where: { $0.state == state && $0.remedy != nil })?.remedy {
        return remedy
      }
    }
    return nil
  }
}

extension String {
  /// The text quoted as one word for a shell.
  var shellQuoted: String {
    let isPlain = unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "/._-+,:@%[]".unicodeScalars.contains($0)
    }
    return isPlain && !isEmpty
      ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
