import WhereaboutsModel

// The words of other programs for activities.
//
// Source: the exports of Google Timeline and Android's `DetectedActivity`; Apple's `CMMotionActivity` as OwnTracks and
// Overland write it; Transistorsoft's location schema; the sports of TCX.

extension Fix.StatedActivity {
  /// Creates the activity of a word; `nil` for an unknown one. Allocates nothing.
  ///
  /// Case does not count, and `_`, `-` and space are alike. The raw values are among the words.
  init?(word: UnsafeRawBufferPointer) {
    guard let entry = Fix.StatedActivity.words.first(where: { word.isWord($0.word) }) else { return nil }
    self = entry.activity
  }

  /// Creates the activity of several words; `nil` if none of them is known.
  ///
  /// Phones state each activity that is possible: `driving` and `stationary` in a car that waits. So the first
  /// activity but ``still`` counts.
  init?(words: [String]) {
    var found: Fix.StatedActivity?
    for word in words {
      var word = word
      let activity = word.withUTF8 { Fix.StatedActivity(word: UnsafeRawBufferPointer($0)) }
      guard let activity else { continue }
      if found == nil || found == .still { found = activity }
    }
    guard let found else { return nil }
    self = found
  }

  /// The known words, in small letters, with `_` between their parts. Google's older exports have `onFoot`, `onBicycle`
  /// and `inVehicle`.
  private static let words: [(word: StaticString, activity: Fix.StatedActivity)] = [
    ("still", .still), ("stationary", .still),
    ("walking", .walking), ("on_foot", .walking), ("onfoot", .walking), ("hiking", .walking),
    ("running", .running),
    ("cycling", .cycling), ("on_bicycle", .cycling), ("onbicycle", .cycling), ("biking", .cycling),
    ("driving", .driving), ("automotive", .driving), ("in_passenger_vehicle", .driving),
    ("in_vehicle", .driving), ("invehicle", .driving), ("in_road_vehicle", .driving),
    ("in_four_wheeler_vehicle", .driving),
    ("in_car", .driving), ("in_bus", .driving), ("in_taxi", .driving), ("motorcycling", .driving),
    ("in_two_wheeler_vehicle", .driving),
    ("rail", .rail), ("in_train", .rail), ("in_subway", .rail), ("in_tram", .rail),
    ("in_rail_vehicle", .rail),
    ("flying", .flying),
    ("boating", .boating), ("sailing", .boating), ("in_ferry", .boating), ("kayaking", .boating),
    ("rowing", .boating),
  ]
}

extension UnsafeRawBufferPointer {
  /// Returns whether these bytes are that word, which has small letters and `_` only, in any case and with `_`, `-` or
  /// space between its parts.
  fileprivate func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count {
      let byte = self[index]
      let isSeparator = byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
      let folded = isSeparator ? UInt8(ascii: "_") : byte.lowercasedASCII
      if folded != word.utf8Start[index] { return false }
    }
    return true
  }
}
