package import WhereaboutsEngine
package import WhereaboutsModel

/// A fix given as an answer, so many seconds old.
package func answer(_ fix: Fix, age seconds: Double, _ level: AccuracyLevel?) -> Answer {
  Answer(fix: fix, age: .seconds(seconds), level: level)
}

/// Fixes of an accuracy are asked of the source.
package func demandEffect(_ accuracy: Double, filter: Double = 0, _ activity: Activity = .other) -> Effect {
  .demand(.continuous(ContinuousDemand(accuracy: accuracy, distanceFilter: filter, activity: activity)))
}

/// The status of a source that needs no permission.
package func status(_ source: ServiceStatus.Source) -> Effect {
  .status(ServiceStatus(authorization: Authorization(.always), source: source))
}

extension Effect {
  /// One request has ended.
  package static func finish(_ id: RequestID, _ outcome: RequestOutcome) -> Effect { .finish([id], outcome) }
}
