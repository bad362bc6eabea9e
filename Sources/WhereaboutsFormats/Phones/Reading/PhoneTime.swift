import WhereaboutsModel

/// A time of a message as it is used.
struct PhoneTime {
  var time: UTCTime
  var origin: PhoneFix.TimeOrigin

  /// The stated time, absent where the time of arrival stands in for it.
  var stated: UTCTime? { origin == .arrival ? nil : time }
}

/// The rules for the numbers of a dialect's times.
enum PhoneTimeScale {
  /// Seconds below 2^31 - 1, else milliseconds, as in the protocol of OsmAnd.
  case osmAnd
  /// The unit by the size of the number.
  case bySize
  /// The unit by the size; or seconds since 2001, which Overland sends in its OwnTracks mode.
  case ownTracks
}

extension PhoneRow {
  /// Returns the time of the first of these that is readable; the time of arrival if all are absent, empty or 0.
  func statedTime(
    _ names: StaticString..., scale: PhoneTimeScale = .bySize, arrival: UTCTime
  ) throws(PhoneRowError) -> PhoneTime {
    var unreadable: StaticString?
    for name in names {
      guard let value = fields.value(name), !value.isEmpty, value.number != 0 else { continue }
      if let time = value.statedTime(scale) { return time.corrected(scale, arrival: arrival) }
      unreadable = unreadable ?? name
    }
    if let unreadable { throw PhoneRowError(.badTime, "\(unreadable) is no time") }
    return PhoneTime(time: arrival, origin: .arrival)
  }

  /// Returns a time that may be absent; an unreadable one is ignored.
  mutating func optionalTime(_ name: StaticString) -> UTCTime? {
    guard let value = fields.value(name), !value.isEmpty else { return nil }
    guard let time = value.statedTime(.bySize) else {
      ignore(name, "is no time")
      return nil
    }
    return time
  }
}

extension PhoneValue {
  /// Returns the time of a text or a number; `nil` for anything else. A time without a zone is in UTC.
  func statedTime(_ scale: PhoneTimeScale) -> UTCTime? {
    switch kind {
    case .flag, .object, .array: return nil
    case .number, .text: break
    }
    return withBytes { bytes in
      let text = bytes.withoutOuterSpace
      guard text.count <= 64 else { return nil }
      return text.withDecimalPoint { text -> UTCTime? in
        // 2^31 - 1 seconds are in 2038; the boundary by size is the year 5138.
        if scale == .osmAnd, let number = Decimal.parse(text), number >= 2_147_483_647, number < 1e11 {
          return UTCTime(secondsSince1970: number / 1000)
        }
        return UTCTime(csv: text) ?? UTCTime(spaceForPlus: text)
      }
    }
  }
}

extension UTCTime {
  /// Creates the instant of a text whose `+` before the zone was written into a URL unencoded, where it means a space.
  fileprivate init?(spaceForPlus text: UnsafeRawBufferPointer) {
    guard let space = text.lastIndex(of: 0x20), space > 10 else { return nil }
    var repaired = Array(text)
    repaired[space] = UInt8(ascii: "+")
    guard let time = repaired.withUnsafeBytes({ UTCTime(iso8601: $0) }) else { return nil }
    self = time
  }

  /// Returns the time that the app meant.
  ///
  /// - GPS receivers that lost a round of 1,024 weeks state a time 19.6 years ago. A time more than that, less 90
  ///   days, before the arrival is moved by whole rounds, unless it is older than GPS itself or the move would pass the
  ///   arrival.
  /// - Overland's OwnTracks mode counts seconds since 2001. Such a number is a time before 2009 and means one since
  ///   2010 that has passed.
  func corrected(_ scale: PhoneTimeScale, arrival: UTCTime) -> PhoneTime {
    if scale == .ownTracks, let moved = movedFrom2001, moved <= arrival.advanced(by: .seconds(86_400)) {
      return PhoneTime(time: moved, origin: .corrected)
    }
    let oldest = arrival.advanced(by: .seconds(-(1024 * 7 - 90) * 86_400))
    guard self >= Self.beginningOfGPS, self < oldest else { return PhoneTime(time: self, origin: .stated) }
    let moved = correctedForRollover(notBefore: oldest)
    // A server refuses a time farther ahead of its clock.
    guard moved <= arrival.advanced(by: SourceSignal.AgeRule.futureTolerance) else {
      return PhoneTime(time: self, origin: .stated)
    }
    return PhoneTime(time: moved, origin: .corrected)
  }

  private var movedFrom2001: UTCTime? {
    let moved = advanced(by: .seconds(978_307_200))
    return Self.seconds(283_996_800) <= self && self < Self.seconds(1_230_768_000) ? moved : nil
  }

  /// 1980-01-06. No receiver states an earlier time because of its count of weeks.
  static let beginningOfGPS = seconds(315_964_800)

  private static func seconds(_ seconds: Int64) -> UTCTime {
    UTCTime(nanosecondsSince1970: seconds * 1_000_000_000)
  }
}
