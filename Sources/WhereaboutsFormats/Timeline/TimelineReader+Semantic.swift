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

  private mutating func readActivitySegment(_ segment: JSONItem, into batch: inout RecordingBatch) {
    let duration = segment.member("duration")
    let start = segment.member("startLocation"), end = segment.member("endLocation")
    let source = start?.member("sourceInfo") ?? end?.member("sourceInfo")
    begin(source?.member("deviceTag")?.integer, into: &batch)
    append(start, Self.instant(duration, "startTimestamp", "startTimestampMs"), into: &batch)
    segment.member("simplifiedRawPath")?.member("points")?.forEachElement { point in
      let time = TimelineTime(point.member("timestamp"), point.member("timestampMs"))
      append(TimelineCoordinates.place(of: point), time, into: &batch) {
        $0.horizontalAccuracy = point.member("accuracyMeters")?.number?.ifPositive
      }
    }
    append(end, Self.instant(duration, "endTimestamp", "endTimestampMs"), into: &batch)
    // Geometry without times; Google makes it up where it has no positions.
    for path in ["waypointPath", "transitPath", "parkingEvent"] as [StaticString]
    where segment.member(path) != nil {
      batch.skippedElements.count(path)
    }
  }

  private static func instant(_ duration: JSONItem?, _ name: StaticString, _ old: StaticString)
    -> TimelineTime
  {
    TimelineTime(duration?.member(name), duration?.member(old))
  }

  /// Appends the end of an activity, which may be absent or have no coordinate.
  private func append(_ location: JSONItem?, _ time: TimelineTime, into batch: inout RecordingBatch) {
    guard let location, location.member("latitudeE7") != nil else { return }
    append(TimelineCoordinates.place(of: location), time, into: &batch) {
      $0.horizontalAccuracy =
        (location.member("accuracyMetres") ?? location.member("accuracyMeters"))?.number?.ifPositive
    }
  }

  // MARK: Visits

  /// Visits within visits are read to this depth.
  private static let maxVisitDepth = 8

  private mutating func readPlaceVisit(_ visit: JSONItem, depth: Int, into batch: inout RecordingBatch) {
    let location = visit.member("location")
    begin(location?.member("sourceInfo")?.member("deviceTag")?.integer, into: &batch)
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
      recorded.kind = location?.member("semanticType")?.text()
      recorded.probability = (location?.member("locationConfidence")?.number).flatMap(Self.share)
      recorded.isConfirmed = visit.member("editConfirmationStatus")?.text() == "CONFIRMED"
      batch.elements.append(.visit(recorded))
    } else {
      report(.missing, "a visit without a place or its times", into: &batch)
    }
    guard depth < Self.maxVisitDepth else { return }
    visit.member("childVisits")?.forEachElement { readPlaceVisit($0, depth: depth + 1, into: &batch) }
  }

  /// Returns per cent as a number in [0, 1].
  private static func share(_ percent: Double) -> Double? {
    (0...100).contains(percent) ? percent / 100 : nil
  }
}
