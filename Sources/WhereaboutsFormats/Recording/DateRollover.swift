package import WhereaboutsModel

extension RecordingBatch {
  /// Moves the times of fixes, places and headings before an instant by whole rounds of 1,024 weeks, and counts the moved
  /// fixes and places.
  ///
  /// A receiver that lost count of GPS weeks states dates that are too early, and programs write these dates into files
  /// of every format. The decoder of NMEA 0183 moves its dates itself.
  package mutating func correctRollover(notBefore: UTCTime) {
    func moved(_ time: UTCTime?) -> UTCTime? {
      guard let time, time < notBefore, time >= .beginningOfGPS else { return nil }
      return time.correctedForRollover(notBefore: notBefore)
    }
    for index in elements.indices {
      switch elements[index] {
      case .fix(var fix):
        guard let time = moved(fix.time) else { continue }
        fix.time = time
        elements[index] = .fix(fix)
      case .waypoint(var place):
        guard let time = moved(place.time) else { continue }
        place.time = time
        elements[index] = .waypoint(place)
      case .heading(var heading):
        // The receiver's fixes count.
        if let time = moved(heading.time) {
          heading.time = time
          elements[index] = .heading(heading)
        }
        continue
      case .offset(let minutes, let stated):
        // It belongs to a fix, which counts.
        if let time = moved(stated) { elements[index] = .offset(minutes: minutes, at: time) }
        continue
      default: continue
      }
      rolloverCorrections &+= 1
    }
  }
}
