import WhereaboutsModel
package import WhereaboutsFormats
package import WhereaboutsSources

/// A recording without its untimed fixes, which cannot be placed on a track. The recording fails at its end if most
/// of its fixes are untimed.
package struct TimedFixFeed: RecordingFeed {
  private var base: any RecordingFeed
  private let name: String
  private var fixes = 0
  private var untimed = 0

  /// - Parameter name: the name of the recording for messages.
  package init(_ base: any RecordingFeed, name: String) {
    self.base = base
    self.name = name
  }

  package mutating func read(into elements: inout [RecordingElement]) throws -> Bool {
    guard try base.read(into: &elements) else {
      if let share = UntimedShare(untimed, of: fixes) { throw problem(share) }
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

  private func problem(_ share: UntimedShare) -> SourceProblem {
    var remedy = "Run `whereabouts replay --track` for the plain sum of the steps."
    // The format is unknown for the rest of a resumed recording.
    let format = (base as? RecordingReader)?.format
    if format == nil || format == .nmea {
      remedy += " For NMEA without dates, pass --date with the date of the first sentence to that command."
    }
    return SourceProblem(.unreadable, message: "measure \(name): \(share.reason)", remedy: remedy)
  }
}
