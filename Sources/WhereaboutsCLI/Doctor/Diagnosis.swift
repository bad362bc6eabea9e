import WhereaboutsCore
import WhereaboutsGeodesy

/// What the doctor found out about this computer and its sources.
struct Diagnosis: Equatable {
  var sources: [SourceFinding] = []
  var machine: [MachineFinding] = []

  /// How it stands as a whole.
  enum Verdict: String, CaseIterable {
    case delivers
    case noFix = "no fix"
    case notPermitted = "not permitted"
    case inUse = "in use"
    case silent
    /// There is something, and none of it is a source that works.
    case nothing
    case absent
  }

  var verdict: Verdict {
    if sources.contains(where: { $0.state == .delivers }) { return .delivers }
    if sources.contains(where: { $0.state == .noFix }) { return .noFix }
    if sources.contains(where: { $0.state == .denied }) { return .notPermitted }
    if sources.contains(where: { $0.state == .inUse }) { return .inUse }
    if sources.contains(where: { $0.state == .silent }) { return .silent }
    return sources.allSatisfy { $0.state == .absent } ? .absent : .nothing
  }

  /// What to type, or do, next; `nil` where nobody knows.
  var next: String? {
    if let source = sources.first(where: { $0.state == .delivers }) {
      return "`whereabouts now --source \(source.name.shellWord)`"
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

/// What was found out about one source.
struct SourceFinding: Equatable {
  enum State: String, CaseIterable {
    case delivers
    /// It works, and has no position.
    case noFix = "no fix"
    case denied
    case inUse = "in use"
    case notUnderstood = "not understood"
    /// It can never work as it was given: a folder, a device that nothing comes from.
    case unusable
    case silent
    /// It is not here, or not running.
    case absent
  }

  /// A fix that it gave, as far as everybody may know it.
  struct Delivery: Equatable {
    var mode: FixMode?
    /// Metres at 68 %.
    var accuracy: Double?
    var isAccuracyEstimated = false
    /// How long the first one took.
    var after: Duration
    /// How many there were.
    var count: Int
    /// Only where it was asked for.
    var position: Coordinate?
  }

  struct Satellites: Equatable {
    var seen: Int
    var used: Int
    /// The strongest signal, in dB-Hz.
    var strongest: Double?
  }

  /// As it would be typed.
  var name: String
  var state: State
  /// What else is known of it, each a fragment.
  var facts: [String] = []
  var satellites: Satellites?
  var delivery: Delivery?
  /// Whether it tells where the device points.
  var hasHeading = false
  /// Why there is no fix, to finish "could not …".
  var why: SourceTrouble?
  /// What to do about it, as a sentence.
  var remedy: String?
}

/// What was found out about the computer.
struct MachineFinding: Equatable {
  enum State: String {
    case good, odd, bad
  }

  var name: String
  var state: State
  var text: String
  var remedy: String?
}

extension String {
  /// As a shell takes it for one word.
  var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "/._-+,:@%[]".unicodeScalars.contains($0)
    }
    return isPlain && !isEmpty
      ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
