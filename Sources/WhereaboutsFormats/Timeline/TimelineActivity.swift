import WhereaboutsModel

// Activities as a Timeline writes them.

extension Fix.StatedActivity {
  /// The greatest time between a position and an activity that holds for it, in nanoseconds: five minutes.
  private static let longestDistance: UInt64 = 300_000_000_000

  /// Creates the activity of a text; `nil` for an unknown one, and for anything else.
  init?(timelineType item: JSONItem?) {
    guard let activity = item?.withText({ Fix.StatedActivity(word: $0) }) else { return nil }
    self = activity
  }

  /// Creates the activity of the most probable candidate of a list; `nil` if its type is unknown.
  ///
  /// - Parameters:
  ///   - candidates: an array of objects.
  ///   - type: the name of a candidate's type.
  ///   - share: the name of a candidate's probability. Of two equal ones the first counts.
  ///   - isEachKind: whether `ON_FOOT` and `IN_VEHICLE` are left out, which have kinds of their own.
  init?(
    likeliestOf candidates: JSONItem?, type: StaticString, share: StaticString, isEachKind: Bool = false
  ) {
    var likeliest: JSONItem?
    var greatest = -Double.infinity
    candidates?.forEachElement { candidate in
      let number = candidate.member(share)?.number ?? 0
      guard number > greatest, let word = candidate.member(type), !(isEachKind && word.hasKinds) else {
        return
      }
      likeliest = word
      greatest = number
    }
    self.init(timelineType: likeliest)
  }

  /// Creates the activity of a record's list of candidates; `nil` if the most confident type is unknown.
  ///
  /// `ON_FOOT` and `IN_VEHICLE` stand beside their kinds, and are never less confident. So the most confident kind
  /// decides between walking and running, and between road and rail.
  private init?(ofRecord candidates: JSONItem?) {
    self.init(likeliestOf: candidates, type: "type", share: "confidence")
    guard self == .walking || self == .driving else { return }
    let kind = Fix.StatedActivity(
      likeliestOf: candidates, type: "type", share: "confidence", isEachKind: true)
    switch (self, kind) {
    case (.walking, .running?): self = .running
    case (.driving, .rail?): self = .rail
    default: break
    }
  }

  /// Creates the activity that a record states nearest to a time; `nil` if it states none within five minutes.
  ///
  /// - Parameter lists: the record's array of lists of candidates, each with a time of its own.
  init?(nearestOf lists: JSONItem?, to time: UTCTime) {
    var nearest: Fix.StatedActivity?
    var least = Fix.StatedActivity.longestDistance
    lists?.forEachElement { list in
      let stated = TimelineTime(list.member("timestamp"), list.member("timestampMs"))
      guard let stated = stated.value else { return }
      let (difference, overflow) = stated.nanosecondsSince1970.subtractingReportingOverflow(
        time.nanosecondsSince1970)
      guard !overflow, difference.magnitude < least || (nearest == nil && difference.magnitude == least),
        let activity = Fix.StatedActivity(ofRecord: list.member("activity") ?? list.member("activities"))
      else { return }
      nearest = activity
      least = difference.magnitude
    }
    guard let nearest else { return nil }
    self = nearest
  }
}

extension JSONItem {
  /// Whether this text is a type of a record whose kinds are in the same list.
  fileprivate var hasKinds: Bool {
    withText { text in
      text.equalsIgnoringCase("on_foot") || text.equalsIgnoringCase("in_vehicle")
        || text.equalsIgnoringCase("onfoot") || text.equalsIgnoringCase("invehicle")
    } ?? false
  }
}
