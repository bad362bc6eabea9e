import WhereaboutsModel

// Activities as a Timeline writes them.

extension StatedActivity {
  /// The greatest time between a position and an activity that holds for it, in nanoseconds: five minutes.
  private static let longestDistance: UInt64 = 300_000_000_000

  /// Creates the activity of a text; `nil` for an unknown one, and for anything else.
  init?(timelineType item: JSONItem?) {
    guard let activity = item?.withText({ StatedActivity(word: $0) }) else { return nil }
    self = activity
  }

  /// Creates the activity of the most probable candidate of a list; `nil` if its type is unknown.
  ///
  /// - Parameters:
  ///   - candidates: an array of objects.
  ///   - type: the name of a candidate's type.
  ///   - share: the name of a candidate's probability. Of two equal ones the first counts.
  init?(likeliestOf candidates: JSONItem?, type: StaticString, share: StaticString) {
    var likeliest: JSONItem?
    var greatest = -Double.infinity
    candidates?.forEachElement { candidate in
      let number = candidate.member(share)?.number ?? 0
      guard number > greatest, let word = candidate.member(type) else { return }
      likeliest = word
      greatest = number
    }
    self.init(timelineType: likeliest)
  }

  /// Creates the activity that a record states nearest to a time; `nil` if it states none within five minutes.
  ///
  /// - Parameter lists: the record's array of lists of candidates, each with a time of its own.
  init?(nearestOf lists: JSONItem?, to time: UTCTime) {
    var nearest: StatedActivity?
    var least = StatedActivity.longestDistance
    lists?.forEachElement { list in
      let stated = TimelineTime(list.member("timestamp"), list.member("timestampMs"))
      guard let stated = stated.value else { return }
      let (difference, overflow) = stated.nanosecondsSince1970.subtractingReportingOverflow(
        time.nanosecondsSince1970)
      guard !overflow, difference.magnitude < least || (nearest == nil && difference.magnitude == least),
        let activity = StatedActivity(
          likeliestOf: list.member("activity") ?? list.member("activities"), type: "type",
          share: "confidence")
      else { return }
      nearest = activity
      least = difference.magnitude
    }
    guard let nearest else { return nil }
    self = nearest
  }
}
