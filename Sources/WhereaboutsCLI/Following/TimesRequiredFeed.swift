import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// A recording without the fixes that do not say when they were made: they can't be placed on a way. Where they are most
/// of its fixes it fails at its end.
struct TimesRequiredFeed: RecordingFeed {
  private var base: any RecordingFeed
  private let name: String
  private var fixes = 0
  private var untimed = 0

  /// - Parameter name: what is read, for people.
  init(_ base: any RecordingFeed, name: String) {
    self.base = base
    self.name = name
  }

  mutating func read(into elements: inout [RecordingElement]) throws -> Bool {
    guard try base.read(into: &elements) else {
      if let share = UntimedShare(untimed, of: fixes) { throw trouble(share) }
      return false
    }
    elements.removeAll { element in
      guard case .fix(let fix) = element else { return false }
      fixes += 1
      if fix.time == nil { untimed += 1 }
      return fix.time == nil
    }
    return true
  }

  private func trouble(_ share: UntimedShare) -> SourceTrouble {
    SourceTrouble(
      .unreadable, message: "measure \(name): \(share.reason)",
      remedy: "`whereabouts replay --track` gives the plain sum of its steps")
  }
}
