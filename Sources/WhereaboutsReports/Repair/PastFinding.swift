package import WhereaboutsModel

/// Something that is wrong with an imported past, with the choices to repair it.
package struct PastFinding: Hashable, Sendable {
  /// The kind of a finding.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Two devices under one name.
    case mixed
    /// Single fixes at places that the device can't have reached.
    case teleports
    /// Fixes of one instant at different places.
    case ties
    /// Two imports of one stretch.
    case overlap
    /// An import whose times are off by whole quarters of an hour.
    case shifted
    /// A constant accuracy that the scatter of the fixes contradicts.
    case accuracy
  }

  /// A way to repair a finding.
  package enum Choice: String, Hashable, Sendable, CaseIterable {
    /// Mark the fixes as implausible, so that days and distances leave them out.
    case leaveOut = "leave-out"
    /// Move the fixes to another device.
    case move
    /// Leave out the fixes of the first import where the second has fixes.
    case leaveOutFirst = "leave-out-first"
    /// Leave out the fixes of the second import where the first has fixes.
    case leaveOutSecond = "leave-out-second"
    /// Move the times of the first import.
    case shiftFirst = "shift-first"
    /// Move the times of the second import.
    case shiftSecond = "shift-second"
    /// Remove the stated accuracies.
    case removeAccuracy = "remove-accuracy"
  }

  /// The kind.
  package var kind: Kind
  /// The times of the first and the last fix that are concerned.
  package var first: UTCTime, last: UTCTime
  /// The number of fixes that are concerned.
  package var count: Int
  /// The evidence in words.
  package var evidence: String
  /// The fixes that a repair changes, for kinds that know them one by one.
  package var keys: [PastFix.Key] = []
  /// The imports that are concerned.
  package var sources: [Int] = []
  /// The time in nanoseconds by which the second import is later than the first.
  package var shift: Int64 = 0
  /// The constant accuracy in metres.
  package var accuracy: Double?

  /// The choices.
  package var choices: [Choice] {
    switch kind {
    case .mixed: [.move, .leaveOut]
    case .teleports, .ties: [.leaveOut]
    case .overlap: [.leaveOutFirst, .leaveOutSecond]
    case .shifted: [.shiftFirst, .shiftSecond]
    case .accuracy: [.removeAccuracy]
    }
  }

  /// The identifier, which depends on the finding alone: a finding that has changed has another one.
  package var id: String {
    var hash = FNV1aHash()
    func add(_ value: Int64) { hash.add(UInt64(bitPattern: value)) }
    for value in [first.nanosecondsSince1970, last.nanosecondsSince1970, Int64(count), shift] { add(value) }
    for source in sources { add(Int64(source)) }
    for key in keys { add(key.seq) }
    return "\(kind.rawValue)-" + String(UInt32(truncatingIfNeeded: hash.value >> 32), radix: 36)
  }
}

extension PastFinding.Kind {
  /// The name in the text.
  package var title: String {
    switch self {
    case .mixed: "two devices under one name"
    case .teleports: "places out of reach"
    case .ties: "several places at one instant"
    case .overlap: "one stretch from two imports"
    case .shifted: "shifted times"
    case .accuracy: "accuracy contradicted by scatter"
    }
  }
}
