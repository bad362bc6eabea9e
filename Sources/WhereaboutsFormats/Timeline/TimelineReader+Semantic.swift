import WhereaboutsModel
import WhereaboutsGeodesy

/// Semantic Location History of Takeout.
extension TimelineReader {
  mutating func readTimelineObject(_ item: JSONItem, into batch: inout RecordingBatch) {
    var isKnown = false
    item.forEachMember { name, value in
      if name.equals("activitySegment") {
        isKnown = true
        readActivitySegment(value, into: &batch)
      } else if name.equals("placeVisit") {
        isKnown = true
        readPlaceVisit(value, depth: 0, into: &batch)
      }
    }
    if !isKnown { report(.missing, "a row without activitySegment and placeVisit", into: &batch) }
  }

  // MARK: Activities

  /// The members of an activity that are read, found in one pass: an activity holds its whole path.
  private struct Activity {
    var duration: JSONItem?
    var start: JSONItem?
    var end: JSONItem?
    var rawPath: JSONItem?
    var type: JSONItem?
    /// The candidates for ``type``.
    var candidates: JSONItem?
    /// Geometry without times; Google makes it up where it has no positions.
    var others: [StaticString] = []

    init(_ segment: JSONItem) {
      segment.forEachMember { name, value in
        guard !value.isNull else { return }
        switch name.count {
        case 8 where name.equals("duration"): duration = duration ?? value
        case 13 where name.equals("startLocation"): start = start ?? value
        case 11 where name.equals("endLocation"): end = end ?? value
        case 17 where name.equals("simplifiedRawPath"): rawPath = rawPath ?? value
        case 12 where name.equals("activityType"): type = type ?? value
        case 10 where name.equals("activities"): candidates = candidates ?? value
        case 12 where name.equals("waypointPath"): others.append("waypointPath")
        case 11 where name.equals("transitPath"): others.append("transitPath")
        case 12 where name.equals("parkingEvent"): others.append("parkingEvent")
        default: break
        }
      }
    }

    /// The activity that Google states: its judgement, or else the most probable one.
    var stated: Fix.StatedActivity? {
      if let type { return Fix.StatedActivity(timelineType: type) }
      return Fix.StatedActivity(likeliestOf: candidates, type: "activityType", share: "probability")
    }
  }

  private mutating func readActivitySegment(_ segment: JSONItem, into batch: inout RecordingBatch) {
    let activity = Activity(segment)
    let source = activity.start?.member("sourceInfo") ?? activity.end?.member("sourceInfo")
    begin(source?.member("deviceTag")?.integer, into: &batch)
    let stated = activity.stated
    append(
      activity.start, Self.instant(activity.duration, "startTimestamp", "startTimestampMs"), stating: stated,
      into: &batch)
    activity.rawPath?.member("points")?.forEachElement { readPoint($0, stating: stated, into: &batch) }
    append(
      activity.end, Self.instant(activity.duration, "endTimestamp", "endTimestampMs"), stating: stated,
      into: &batch)
    for path in activity.others { batch.skippedElements.count(path) }
  }

  private func readPoint(
    _ point: JSONItem, stating activity: Fix.StatedActivity?, into batch: inout RecordingBatch
  ) {
    var latitude: JSONItem?, longitude: JSONItem?
    var timestamp: JSONItem?, milliseconds: JSONItem?, accuracy: JSONItem?
    point.forEachMember { name, value in
      guard !value.isNull else { return }
      switch name.count {
      case 5 where name.equals("latE7"), 10 where name.equals("latitudeE7"): latitude = latitude ?? value
      case 5 where name.equals("lngE7"), 11 where name.equals("longitudeE7"): longitude = longitude ?? value
      case 9 where name.equals("timestamp"): timestamp = timestamp ?? value
      case 11 where name.equals("timestampMs"): milliseconds = milliseconds ?? value
      case 14 where name.equals("accuracyMeters"): accuracy = accuracy ?? value
      default: break
      }
    }
    let place = TimelineCoordinates.place(latitudeE7: latitude, longitudeE7: longitude)
    append(place, TimelineTime(timestamp, milliseconds), into: &batch) {
      $0.horizontalAccuracy = accuracy?.number?.ifPositive
      $0.activity = activity
    }
  }

  private static func instant(_ duration: JSONItem?, _ name: StaticString, _ old: StaticString)
    -> TimelineTime
  {
    TimelineTime(duration?.member(name), duration?.member(old))
  }

  /// Appends the end of an activity, which may be absent or have no coordinate.
  private func append(
    _ location: JSONItem?, _ time: TimelineTime, stating activity: Fix.StatedActivity?,
    into batch: inout RecordingBatch
  ) {
    guard let location, location.member("latitudeE7") != nil else { return }
    append(TimelineCoordinates.place(of: location), time, into: &batch) {
      $0.horizontalAccuracy =
        (location.member("accuracyMetres") ?? location.member("accuracyMeters"))?.number?.ifPositive
      $0.activity = activity
    }
  }

  // MARK: Visits

  /// Visits within visits are read to this depth.
  private static let maxVisitDepth = 8

  private mutating func readPlaceVisit(_ visit: JSONItem, depth: Int, into batch: inout RecordingBatch) {
    let location = visit.member("location")
    if let device = location?.member("sourceInfo")?.member("deviceTag")?.integer {
      begin(device, into: &batch)
    }
    let duration = visit.member("duration")
    let arrival = Self.instant(duration, "startTimestamp", "startTimestampMs").value
    let departure = Self.instant(duration, "endTimestamp", "endTimestampMs").value
    // The middle of the positions, rather than the entry of the place in the map.
    let place =
      TimelineCoordinates.place(
        latitudeE7: visit.member("centerLatE7"), longitudeE7: visit.member("centerLngE7"))
      ?? TimelineCoordinates.place(of: location)
    if let place, let arrival, let departure {
      var recorded = RecordedVisit(coordinate: place, arrival: arrival, departure: departure)
      recorded.name = location?.member("name")?.text()
      recorded.address = location?.member("address")?.text()
      recorded.kind = location?.member("semanticType")?.text()
      recorded.placeID = location?.member("placeId")?.text()
      recorded.probability = (location?.member("locationConfidence")?.number).flatMap(Self.share)
      recorded.isConfirmed = visit.member("editConfirmationStatus")?.text() == "CONFIRMED"
      recorded.level = depth
      batch.elements.append(.visit(recorded))
    } else {
      report(.missing, "a visit without a place or its times", into: &batch)
    }
    // Positions that were measured during the visit.
    visit.member("simplifiedRawPath")?.member("points")?.forEachElement {
      readPoint($0, stating: nil, into: &batch)
    }
    guard depth < Self.maxVisitDepth else { return }
    visit.member("childVisits")?.forEachElement { readPlaceVisit($0, depth: depth + 1, into: &batch) }
  }

  /// Returns per cent as a number in [0, 1].
  private static func share(_ percent: Double) -> Double? {
    (0...100).contains(percent) ? percent / 100 : nil
  }
}
