package import WhereaboutsModel

extension Alert {
  /// Evaluates the next crossing of a device.
  ///
  /// - Parameters:
  ///   - presence: the fences that the devices were in before the crossing.
  ///   - progress: the progress before the crossing.
  ///   - now: the time of the evaluation, by which quiet hours and ages count.
  /// - Complexity: O(steps · places · devices).
  package func evaluate(
    _ crossing: AlertCrossing, presence: AlertPresence, progress: AlertProgress, now: UTCTime
  ) -> AlertEvaluation {
    var result = AlertEvaluation(progress: progress)
    guard concerns(crossing.reference.device) else { return result }
    // From the last step on, so that a crossing never follows itself.
    for index in steps.indices.reversed() {
      switch match(steps[index], crossing, presence) {
      case .none: continue
      case .unchanged(let place): result.outcome = result.outcome ?? .unchanged(place: place)
      case .crossed:
        guard let way = way(to: index, crossing, progress, &result.outcome) else { continue }
        if index == steps.indices.last {
          result.earlier = way
          result.progress.complete(by: crossing.reference)
          result.outcome = complete(crossing, now: now, &result.progress)
          return result
        }
        result.progress.reached[index] = AlertProgress.Reached(
          time: crossing.event.time.nanosecondsSince1970, crossings: way + [crossing.reference])
        let limit = steps[index + 1].within.map { crossing.event.time.advanced(by: $0) }
        result.outcome = .reached(step: index + 1, of: steps.count, until: limit)
      }
    }
    return result
  }

  /// Returns the time before which a notification is not sent; `nil` if the quiet hours drop the notification.
  ///
  /// - Parameter now: the present time, which is the result outside the quiet hours.
  package func notificationStart(at now: UTCTime) -> UTCTime? {
    guard let quietHours, quietHours.contains(now) else { return now }
    return holdsInQuietHours ? quietHours.end(after: now) : nil
  }

  // MARK: Steps

  private enum Match {
    case none
    case crossed
    case unchanged(place: String)
  }

  private func match(_ step: Step, _ crossing: AlertCrossing, _ presence: AlertPresence) -> Match {
    let event = crossing.event, device = crossing.reference.device
    guard step.kinds.contains(event.kind) else { return .none }
    var result = Match.none
    for place in step.places where place.fences.contains(event.fence) {
      guard place.fences.count > 1 || combinesDevices else { return .crossed }
      let others = combinesDevices ? devices : [device]
      let isOccupied = presence.isOccupied(place, by: others, without: (event.fence, device))
      guard event.kind != .dwell, isOccupied else { return .crossed }
      result = .unchanged(place: place.name)
    }
    return result
  }

  /// Returns the crossings before a step; `nil` if the step before was not reached in time.
  private func way(
    to index: Int, _ crossing: AlertCrossing, _ progress: AlertProgress, _ outcome: inout AlertOutcome?
  ) -> [AlertCrossing.Reference]? {
    guard index > 0 else { return [] }
    guard let before = progress.reached[index - 1] else { return nil }
    let wait = crossing.event.time.since(UTCTime(nanosecondsSince1970: before.time))
    guard wait >= .zero else { return nil }
    if let limit = steps[index].within, wait > limit {
      outcome = outcome ?? .late(step: index + 1, by: wait - limit)
      return nil
    }
    return before.crossings
  }

  // MARK: Notification

  private func complete(
    _ crossing: AlertCrossing, now: UTCTime, _ progress: inout AlertProgress
  ) -> AlertOutcome {
    let event = crossing.event
    if let hours, !hours.contains(event.time) { return .outsideHours }
    let age = now.since(event.time)
    if let maximumAge, age > maximumAge { return .tooOld(age: age) }
    for notified in progress.notifiedTimes {
      let until = notified.advanced(by: coolDown)
      // A crossing that becomes known late may be long before the one that was notified.
      if event.time < until, notified < event.time.advanced(by: coolDown) {
        return .coolingDown(until: until)
      }
    }
    var start: UTCTime?
    if let quietHours, quietHours.contains(now) {
      start = quietHours.end(after: now)
      guard holdsInQuietHours, start != nil else { return .quiet(until: start) }
    }
    progress.notify(crossing, coolsDown: coolDown > .zero)
    return .notified(notBefore: start)
  }
}

extension ActiveHours {
  /// The greatest number of adjacent windows that are searched.
  private static let maximumWindows = 64

  /// Returns the end of the hours that a time is in; `nil` if they never end.
  func end(after time: UTCTime) -> UTCTime? {
    var end = time
    for _ in 0..<Self.maximumWindows {
      guard let next = nextChange(after: end) else { return nil }
      end = next
      if !contains(end) { return end }
    }
    return nil
  }
}
