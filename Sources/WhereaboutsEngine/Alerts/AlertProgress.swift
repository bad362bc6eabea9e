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

  /// The form of the alert that the progress belongs to.
  private var form: String
  /// For each step but the last: the latest way by which it was reached.
  ///
  /// The latest way is the best one, because each limit of time counts from the step before.
  var reached: [Reached?]
  /// The time of the last crossing that was notified, in nanoseconds since 1970.
  var lastNotified: Int64?

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
  package var isEmpty: Bool { lastNotified == nil && !reached.contains { $0 != nil } }

  /// Takes over a revision of an earlier crossing.
  ///
  /// - Parameter event: the crossing as it is now; `nil` if it did not happen.
  package mutating func revise(_ id: FenceEvent.ID, of device: String, to event: FenceEvent?) {
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
