package import WhereaboutsModel

/// The progress of an alert for one device, or for all if the alert combines its devices.
package struct AlertProgress: Hashable, Sendable, Codable {
  /// The steps that were reached, with the crossings that reached them.
  struct Reached: Hashable, Sendable, Codable {
    /// The time of the last crossing in nanoseconds since 1970.
    var time: Int64
    /// The crossings, one for each step.
    var crossings: [AlertCrossing.Reference]
  }

  /// A crossing that completed the steps, with the steps before it.
  struct Completion: Hashable, Sendable, Codable {
    /// The crossing.
    var crossing: AlertCrossing.Reference
    /// ``AlertProgress/reached`` before the crossing.
    var reached: [Reached?]
  }

  /// A crossing that was notified.
  struct Notified: Hashable, Sendable, Codable {
    /// The crossing.
    var crossing: AlertCrossing.Reference
    /// ``AlertProgress/lastNotified`` before the crossing.
    var before: Int64?
  }

  /// The greatest number of notified crossings before the latest one that are remembered.
  private static let maximumEarlier = 16

  /// The form of the alert that the progress belongs to.
  private var form: String
  /// For each step but the last: the latest way by which it was reached.
  ///
  /// The latest way is the best one, because each limit of time counts from the step before.
  var reached: [Reached?]
  /// The time of the latest crossing that was notified, in nanoseconds since 1970.
  var lastNotified: Int64?
  /// The last crossing that completed the steps; `nil` for none, and without steps before it.
  private var completion: Completion?
  /// The crossing of ``lastNotified``.
  private var notified: Notified?
  /// Other crossings that were notified, for the cool-down; `nil` in a state of earlier versions, or for none.
  private var earlier: [Reached]?

  /// Creates the progress of an alert that has seen nothing.
  package init(of alert: Alert) {
    form = alert.form
    reached = Array(repeating: nil, count: max(0, alert.steps.count - 1))
  }

  /// Returns whether the progress still has a meaning for an alert that may have been changed.
  package func fits(_ alert: Alert) -> Bool {
    form == alert.form && reached.count == alert.steps.count - 1
  }

  /// Whether nothing is lost if the progress is not stored.
  package var isEmpty: Bool {
    lastNotified == nil && completion == nil && (earlier ?? []).isEmpty && !reached.contains { $0 != nil }
  }

  /// Begins from nothing after a crossing that completed the steps.
  mutating func complete(by crossing: AlertCrossing.Reference) {
    guard reached.contains(where: { $0 != nil }) else { return }
    completion = Completion(crossing: crossing, reached: reached)
    reached = reached.map { _ in nil }
  }

  /// The times of the crossings that were notified, beginning with the latest crossing.
  var notifiedTimes: [UTCTime] {
    let times = [lastNotified].compactMap(\.self) + (earlier ?? []).map(\.time)
    return times.map { UTCTime(nanosecondsSince1970: $0) }
  }

  /// Takes over a notification.
  ///
  /// - Parameter coolsDown: whether the alert has a cool-down, so that crossings before the latest one count.
  mutating func notify(_ crossing: AlertCrossing, coolsDown: Bool) {
    let time = crossing.event.time.nanosecondsSince1970
    var other: Reached?
    // A crossing that becomes known late does not end the cool-down after a later one.
    if let lastNotified, time < lastNotified {
      other = Reached(time: time, crossings: [crossing.reference])
    } else {
      if let lastNotified, let notified {
        other = Reached(time: lastNotified, crossings: [notified.crossing])
      }
      notified = Notified(crossing: crossing.reference, before: lastNotified)
      lastNotified = time
    }
    guard coolsDown, let other else { return }
    earlier = Array(((earlier ?? []) + [other]).suffix(Self.maximumEarlier))
  }

  /// Takes over a revision of an earlier crossing. After one that did not happen, the progress is as before it.
  ///
  /// - Parameter event: the crossing as it is now; `nil` if it did not happen.
  package mutating func revise(_ id: FenceEvent.ID, of device: DeviceID, to event: FenceEvent?) {
    Self.revise(&reached, id, of: device, to: event)
    if var completion {
      Self.revise(&completion.reached, id, of: device, to: event)
      self.completion = completion
    }
    guard event == nil else { return }
    earlier?.removeAll { $0.crossings.contains { $0.id == id && $0.device == device } }
    if let completion, completion.crossing.id == id, completion.crossing.device == device {
      for step in reached.indices where reached[step] == nil && step < completion.reached.count {
        reached[step] = completion.reached[step]
      }
      self.completion = nil
    }
    if let notified, notified.crossing.id == id, notified.crossing.device == device {
      lastNotified = notified.before
      self.notified = nil
    }
  }

  /// Forgets erased crossings with all that depends on them. Unlike a revoked crossing, an erased one has happened: the
  /// steps before it stay completed.
  package mutating func forget(where isErased: (AlertCrossing.Reference) throws -> Bool) rethrows {
    try Self.forget(&reached, where: isErased)
    if var known = completion {
      try Self.forget(&known.reached, where: isErased)
      completion = try isErased(known.crossing) ? nil : known
    }
    try earlier?.removeAll { try $0.crossings.contains(where: isErased) }
    if let known = notified, try isErased(known.crossing) {
      lastNotified = known.before
      notified = nil
    }
    // A time without a crossing may be that of an erased one.
    let times = Set((earlier ?? []).map(\.time))
    if let time = notified?.before, !times.contains(time) { notified?.before = nil }
    if notified == nil, let time = lastNotified, !times.contains(time) { lastNotified = nil }
  }

  private static func forget(
    _ reached: inout [Reached?], where isErased: (AlertCrossing.Reference) throws -> Bool
  ) rethrows {
    for step in reached.indices {
      if try reached[step]?.crossings.contains(where: isErased) ?? false { reached[step] = nil }
    }
  }

  private static func revise(
    _ reached: inout [Reached?], _ id: FenceEvent.ID, of device: DeviceID, to event: FenceEvent?
  ) {
    for step in reached.indices {
      guard let known = reached[step],
        let place = known.crossings.firstIndex(where: { $0.id == id && $0.device == device })
      else { continue }
      guard let event else {
        reached[step] = nil
        continue
      }
      if place == step { reached[step]?.time = event.time.nanosecondsSince1970 }
    }
  }
}
