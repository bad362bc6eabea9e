import WhereaboutsModel

// Terms may be changed after their creation, to numbers that are invalid or negative. The demand is then the greatest
// possible, or that of the standard terms for a tracker: a demand must equal itself, or it could not be withdrawn.

extension Double {
  fileprivate var nonnegative: Double { self > 0 ? self : 0 }
}

extension RequestTerms {
  /// The demand of a request: any fix, as soon as one is available.
  var need: Demand {
    .continuous(Demand.Continuous(accuracy: level.worstAccuracy.nonnegative, activity: activity))
  }
}

extension SubscriptionTerms {
  /// The demand of a subscription.
  var need: Demand {
    switch self {
    case .fixes(let terms):
      // The filter may stretch with the speed, never shrink: the source can apply the plain one.
      .continuous(
        Demand.Continuous(
          accuracy: terms.level.worstAccuracy.nonnegative, distanceFilter: terms.distanceFilter.nonnegative,
          activity: terms.activity)
      )
    case .significantChanges: .significantChanges
    // A filtered source gives no fixes while the device stays, so a stay could not be detected.
    case .visits(let terms): .continuous(Demand.Continuous(accuracy: terms.radius.nonnegative))
    // A filtered source gives no fixes while the device stays, so no fix better than a held one would arrive.
    case .accepted(let terms):
      .continuous(Demand.Continuous(accuracy: terms.requiredAccuracy.nonnegative, activity: terms.activity))
    // The accuracy of a receiver under open sky. With less, minutes pass before a walk exceeds a wandering error.
    case .motions: .continuous(Demand.Continuous(accuracy: AccuracyLevel.house.worstAccuracy))
    case .headings(let terms): Demand(headings: Demand.Headings(filter: terms.filter.nonnegative))
    case .track(let terms): .continuous(terms.need)
    }
  }
}

extension SubscriptionTerms {
  /// The consumer class this demand is counted under.
  var consumerClass: NeedRegistry.ConsumerClass {
    switch self {
    case .fixes, .significantChanges, .headings: .subscriptions
    case .visits, .accepted, .motions: .unfilteredSubscriptions
    case .track: .trackers
    }
  }
}

extension TrackTerms {
  /// The demand of a tracker that does not rest. A track is only as good as its fixes, so the demand is for the best
  /// fixes, even if the terms count a poor signal as strong.
  var need: Demand.Continuous {
    let best = AccuracyLevel.room.worstAccuracy
    let accuracy = min(signal.validated.requiredAccuracy, best)
    return switch method {
    case .estimated: Demand.Continuous(accuracy: accuracy, activity: activity)
    case .candidates(let settings):
      Demand.Continuous(
        accuracy: accuracy, distanceFilter: settings.validated.distanceFilter, activity: activity)
    }
  }
}
