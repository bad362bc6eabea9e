/// A reader of time zone rules from the bytes of a TZif file, as tzdata installs one for each zone.
///
/// - Source: RFC 8536, "The Time Zone Information Format (TZif)".
package enum TimeZoneFile {
  /// Returns the rules in a file; `nil` where the bytes are no TZif file.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - name: the name of the zone.
  package static func rules(_ bytes: [UInt8], name: String) -> TimeZoneRules? {
    var reader = Reader(bytes: bytes)
    guard let first = reader.header() else { return nil }
    guard first.version >= 0x32 else { return reader.rules(first, timeSize: 4, name: name) }
    // The second block has 64-bit times, and the rule for later times follows it.
    guard reader.skip(first.size(timeSize: 4)), let second = reader.header(),
      var rules = reader.rules(second, timeSize: 8, name: name)
    else { return nil }
    let footer = reader.footer() ?? ""
    if !footer.isEmpty {
      guard let yearly = YearlyClockRule(footer) else { return nil }
      rules.yearly = yearly
      rules.removeTransitions(coveredBy: yearly)
    }
    return rules
  }

  private struct Header {
    var version: UInt8
    var utcMarks: Int, standardMarks: Int, leaps: Int, times: Int, types: Int, letters: Int

    func size(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + letters + leaps * (timeSize + 4) + standardMarks + utcMarks
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func skip(_ count: Int) -> Bool {
      guard count >= 0, bytes.count - position >= count else { return false }
      position += count
      return true
    }

    private func integer(at place: Int, size: Int) -> Int64 {
      var value: Int64 = size > 0 && bytes[place] & 0x80 != 0 ? -1 : 0
      for offset in 0..<size { value = value << 8 | Int64(bytes[place + offset]) }
      return value
    }

    mutating func header() -> Header? {
      let begin = position
      guard bytes.count - begin >= 44, bytes[begin..<begin + 4].elementsEqual("TZif".utf8) else { return nil }
      let counts = (0..<6).map { Int(integer(at: begin + 20 + 4 * $0, size: 4)) }
      // A file has some hundred transitions; larger counts mark an invalid file.
      guard counts.allSatisfy({ (0...100_000).contains($0) }), counts[4] > 0 else { return nil }
      position += 44
      return Header(
        version: bytes[begin + 4], utcMarks: counts[0], standardMarks: counts[1], leaps: counts[2],
        times: counts[3], types: counts[4], letters: counts[5])
    }

    mutating func rules(_ header: Header, timeSize: Int, name: String) -> TimeZoneRules? {
      let begin = position
      guard skip(header.size(timeSize: timeSize)) else { return nil }
      let indices = begin + header.times * timeSize, types = indices + header.times
      func offset(_ type: Int) -> Int? {
        guard type < header.types else { return nil }
        let seconds = integer(at: types + 6 * type, size: 4)
        return (-93_600...93_600).contains(seconds) ? Int(seconds) : nil
      }
      guard let first = offset(0) else { return nil }
      var rules = TimeZoneRules(name: name, firstOffset: first)
      for index in 0..<header.times {
        guard let ahead = offset(Int(bytes[indices + index])) else { return nil }
        let time = integer(at: begin + index * timeSize, size: timeSize)
        if let last = rules.transitions.last, time <= last.time { return nil }
        // Some transitions change the name of the clock alone.
        guard ahead != rules.transitions.last?.offset ?? first else { continue }
        rules.transitions.append(TimeZoneRules.Transition(time: time, offset: ahead))
      }
      return rules
    }

    /// Returns the line behind the second block.
    func footer() -> String? {
      guard position < bytes.count, bytes[position] == 0x0A else { return nil }
      let line = bytes[(position + 1)...].prefix { $0 != 0x0A }
      return String(decoding: line, as: UTF8.self)
    }
  }
}

extension TimeZoneRules {
  /// The beginning of this century; earlier transitions are dropped, since rules serve present hours and recordings.
  private static let earliest: Int64 = 946_684_800

  /// Removes transitions before this century and those that the yearly rule covers.
  fileprivate mutating func removeTransitions(coveredBy yearly: YearlyClockRule) {
    while let last = transitions.last, transitions.count > 1,
      yearly.offset(at: last.time) == last.offset,
      yearly.offset(at: last.time - 1) == transitions[transitions.count - 2].offset,
      yearly.nextChange(after: transitions[transitions.count - 2].time) == last.time
    {
      transitions.removeLast()
    }
    while transitions.count > 1, transitions[1].time <= Self.earliest {
      firstOffset = transitions[0].offset
      transitions.removeFirst()
    }
  }
}
