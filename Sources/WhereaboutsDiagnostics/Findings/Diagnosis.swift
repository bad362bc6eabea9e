import WhereaboutsModel
import WhereaboutsGeodesy

/// The doctor's findings about the machine and its sources.
package struct Diagnosis: Equatable {
  var sources: [SourceFinding] = []
  package var machine: [MachineFinding] = []

  package init(sources: [SourceFinding] = [], machine: [MachineFinding] = []) {
    self.sources = sources
    self.machine = machine
  }

  /// The overall result.
  package enum Verdict: String, CaseIterable {
    case delivers
    case noFix = "no fix"
    case notPermitted = "not permitted"
    case inUse = "in use"
    case silent
    /// There are sources, but none of them works.
    case nothing
    case absent
  }

  package var verdict: Verdict {
    if sources.contains(where: { $0.state == .delivers }) { return .delivers }
    if sources.contains(where: { $0.state == .noFix }) { return .noFix }
    if sources.contains(where: { $0.state == .denied }) { return .notPermitted }
    if sources.contains(where: { $0.state == .inUse }) { return .inUse }
    if sources.contains(where: { $0.state == .silent }) { return .silent }
    return sources.allSatisfy { $0.state == .absent } ? .absent : .nothing
  }

  /// The recommended next step; `nil` if there is none.
  var nextStep: String? {
    if let source = sources.first(where: { $0.state == .delivers }) {
      return "`whereabouts now --source \(source.name.shellQuoted)`"
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

/// The findings about one source.
package struct SourceFinding: Equatable {
  enum State: String, CaseIterable {
    case delivers
    /// The source works, but has no position.
    case noFix = "no fix"
    case denied
    case inUse = "in use"
    case notUnderstood = "not understood"
    /// The source can never work as given, for example a folder, or a device without output.
    case unusable
    case silent
    /// The source is not installed, not connected or not running.
    case absent
  }

  /// The fixes of a source without private details.
  struct Delivery: Equatable {
    var mode: FixMode?
    /// The radius in metres at 68 %.
    var accuracy: Double?
    var isAccuracyEstimated = false
    /// The time to the first fix.
    var timeToFirstFix: Duration
    /// The number of fixes.
    var fixCount: Int
    /// The position, only if requested.
    var position: Coordinate?
  }

  struct Satellites: Equatable {
    var seen: Int
    var used: Int
    /// The strongest signal, in dB-Hz.
    var strongest: Double?
  }

  /// The argument for the source, as typed.
  var name: String
  var state: State
  /// Other facts about the source, each a fragment of a sentence.
  var facts: [String] = []
  var satellites: Satellites?
  var delivery: Delivery?
  /// Whether the source delivers headings.
  var hasHeading = false
  /// The reason why there is no fix, to complete "could not …".
  var problem: SourceProblem?
  /// The remedy, as a sentence.
  var remedy: String?
}

/// A finding about the machine.
package struct MachineFinding: Equatable {
  enum State: String {
    case good, odd, bad
  }

  var name: String
  var state: State
  var text: String
  var remedy: String?
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
