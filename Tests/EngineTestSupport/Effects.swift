package import WhereaboutsEngine
package import WhereaboutsModel

/// An answer with a fix of an age in seconds.
package func answer(_ fix: Fix, age seconds: Double, _ level: AccuracyLevel?) -> Answer {
  Answer(fix: fix, age: .seconds(seconds), level: level)
}

/// The effect of a demand for fixes with an accuracy.
package func demandEffect(_ accuracy: Double, filter: Double = 0, _ activity: Activity = .other) -> Effect {
  .demand(.continuous(Demand.Continuous(accuracy: accuracy, distanceFilter: filter, activity: activity)))
}

/// The status of a source that needs no permission.
package func status(_ source: ServiceStatus.Source) -> Effect {
  .status(ServiceStatus(authorization: Authorization(.always), source: source))
}

extension Effect {
  /// The effect of one ended request.
  package static func finish(_ id: RequestID, _ outcome: RequestOutcome) -> Effect { .finish([id], outcome) }
}
