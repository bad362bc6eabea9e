import WhereaboutsModel
import WhereaboutsGeodesy

/// The exports of phones.
extension TimelineReader {
  /// Reads a segment of an Android phone or an iPhone. The two differ in how they write places and numbers.
  ///
  /// - Parameter hasLocalTexts: whether the offsets in texts of times are those of the places. An Android phone writes
  ///   all texts with the offset at the export, and that of the place beside visits and activities.
  mutating func readSegment(
    _ segment: JSONItem, hasLocalTexts: Bool = false, into batch: inout RecordingBatch
  ) {
    // In one pass: a segment holds its whole path. The times may follow the path.
    var startTime: JSONItem?, endTime: JSONItem?
    var path: JSONItem?, visit: JSONItem?, activity: JSONItem?
    var startMinutes: JSONItem?, endMinutes: JSONItem?
    var isMemory = false
    segment.forEachMember { name, value in
      switch name.count {
      case 9 where name.equals("startTime"): startTime = startTime ?? value
      case 7 where name.equals("endTime"): endTime = endTime ?? value
      case 12 where name.equals("timelinePath"): path = path ?? value
      case 5 where name.equals("visit"): visit = visit ?? value
      case 8 where name.equals("activity"): activity = activity ?? value
      case 14 where name.equals("timelineMemory"): isMemory = true
      case 33 where name.equals("startTimeTimezoneUtcOffsetMinutes"): startMinutes = startMinutes ?? value
      case 31 where name.equals("endTimeTimezoneUtcOffsetMinutes"): endMinutes = endMinutes ?? value
      default: break
      }
    }
    var startOffset: Int?, endOffset: Int?
    let start = TimelineTime(startTime, offset: &startOffset)
    let end = TimelineTime(endTime, offset: &endOffset)
    if let start = start.value, waitingUntil.map({ $0 <= start }) ?? false { finish(into: &batch) }
    let count = batch.elements.count
    state(startMinutes, or: hasLocalTexts ? startOffset : nil, at: start, into: &batch)
    state(endMinutes, or: hasLocalTexts ? endOffset : nil, at: end, into: &batch)
    let stated = Fix.StatedActivity(timelineType: activity?.member("topCandidate")?.member("type"))
    path?.forEachElement { readPathPoint($0, of: start, stating: stated, into: &batch) }
    if let visit { readVisit(visit, start, end, into: &batch) }
    if let activity {
      appendEnd(activity.member("start"), start, stating: stated, into: &batch)
      appendEnd(activity.member("end"), end, stating: stated, into: &batch)
    }
    if isMemory { batch.skippedElements.count("timelineMemory") }
    if path == nil, visit == nil, activity == nil, !isMemory {
      report(.missing, "a segment without a path, a visit and an activity", into: &batch)
    }
    if let stated, let start = start.value, let end = end.value {
      waiting.state(stated, from: start, until: end)
      record(StatedSpan(start: start, end: end, activity: stated))
    }
    hold(from: count, until: end.value, in: &batch)
  }

  /// Gives the offset at a time, in minutes: that of a member, or else that of a text.
  private mutating func state(
    _ member: JSONItem?, or text: Int?, at time: TimelineTime, into batch: inout RecordingBatch
  ) {
    let stated = member?.integer.map { Int(clamping: $0) } ?? text
    guard let minutes = stated, UTCTime.isClockOffset(minutes: minutes) else { return }
    offsets.state(minutes, at: time.value, into: &batch)
  }

  /// The greatest number of activities that are known to the paths after them: those of many years, since a file may
  /// have its paths after all activities.
  private static let knownActivities = 32_768
  /// The number of activities before a time that are searched for one that lasts until then. They hardly overlap.
  private static let searchedActivities = 4

  private mutating func record(_ span: StatedSpan) {
    if activities.count >= Self.knownActivities { activities.removeFirst(Self.knownActivities / 2) }
    let index = indexOfFirstActivity(after: span.start)
    activities.insert(span, at: index)
  }

  /// Returns the activity that a segment before this one states for a time.
  private func statedBefore(_ time: UTCTime?) -> Fix.StatedActivity? {
    guard let time else { return nil }
    let begun = activities[..<indexOfFirstActivity(after: time)].suffix(Self.searchedActivities)
    return begun.first { time <= $0.end }?.activity
  }

  private func indexOfFirstActivity(after time: UTCTime) -> Int {
    var low = 0, high = activities.count
    while low < high {
      let middle = (low + high) / 2
      if activities[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Holds back the path points without an activity, and the elements after them, until a segment begins later than
  /// their own ends. Segments are in the order of their beginnings.
  private mutating func hold(from count: Int, until end: UTCTime?, in batch: inout RecordingBatch) {
    guard waiting.hold(from: count, in: &batch) else { return }
    guard let end else { return finish(into: &batch) }
    waitingUntil = max(waitingUntil ?? end, end)
  }

  /// Appends a point with its own time, or with its minutes after the start of the segment.
  private func readPathPoint(
    _ item: JSONItem, of start: TimelineTime, stating activity: Fix.StatedActivity?,
    into batch: inout RecordingBatch
  ) {
    var point: JSONItem?, time: JSONItem?, minutes: JSONItem?
    item.forEachMember { name, value in
      if name.equals("point") {
        point = value
      } else if name.equals("time") {
        time = value
      } else if name.equals("durationMinutesOffsetFromStartTime") {
        minutes = value
      }
    }
    let place = TimelineCoordinates.place(ofText: point)
    guard time == nil, let minutes, !minutes.isNull else {
      return append(place, TimelineTime(time), into: &batch) {
        $0.activity = activity ?? statedBefore($0.time)
      }
    }
    append(place, Self.instant(minutes, after: start), into: &batch) {
      $0.activity = activity ?? statedBefore($0.time)
    }
  }

  private static func instant(_ minutes: JSONItem, after start: TimelineTime) -> TimelineTime {
    guard case .known(let start) = start else { return start }
    // An offset may be negative; a century is none.
    guard let minutes = minutes.number, minutes.magnitude <= 52_560_000 else { return .unreadable }
    return .known(start.advanced(by: .nanoseconds(Int64(minutes * 6e10))))
  }

  /// Appends the start or the end of an activity, which may be absent or have no place.
  private func appendEnd(
    _ item: JSONItem?, _ time: TimelineTime, stating activity: Fix.StatedActivity?,
    into batch: inout RecordingBatch
  ) {
    guard let item, item.isObject ? item.member("latLng") != nil : true else { return }
    append(TimelineCoordinates.place(ofText: item), time, into: &batch) { $0.activity = activity }
  }

  private func readVisit(
    _ visit: JSONItem, _ start: TimelineTime, _ end: TimelineTime, into batch: inout RecordingBatch
  ) {
    let candidate = visit.member("topCandidate")
    guard let place = TimelineCoordinates.place(ofText: candidate?.member("placeLocation")),
      let arrival = start.value, let departure = end.value
    else { return report(.missing, "a visit without a place or its times", into: &batch) }
    var recorded = RecordedVisit(coordinate: place, arrival: arrival, departure: departure)
    recorded.kind = candidate?.member("semanticType")?.text()
    recorded.placeID = (candidate?.member("placeId") ?? candidate?.member("placeID"))?.text()
    recorded.level = visit.member("hierarchyLevel")?.integer.map { Int(clamping: max(0, $0)) } ?? 0
    let probability = candidate?.member("probability")?.number
    recorded.probability = probability.flatMap { (0...1).contains($0) ? $0 : nil }
    batch.elements.append(.visit(recorded))
  }

  // MARK: Measured positions

  /// Reads a signal of an Android phone: a measured position, or something else, which is counted.
  mutating func readRawSignal(_ signal: JSONItem, into batch: inout RecordingBatch) {
    guard let position = signal.member("position") else {
      // Scans hold the addresses of neighbours.
      for name in ["wifiScan", "activityRecord"] as [StaticString] where signal.member(name) != nil {
        batch.skippedElements.count(name)
      }
      return
    }
    let place = TimelineCoordinates.place(ofText: position)
    append(place, TimelineTime(position.member("timestamp")), into: &batch) { fix in
      fix.horizontalAccuracy = position.member("accuracyMeters")?.number?.ifPositive
      fix.heightAboveEllipsoid = position.member("altitudeMeters")?.number
      fix.speed = position.member("speedMetersPerSecond")?.number?.ifNotNegative
    }
  }
}
