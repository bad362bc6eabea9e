// Terms may be changed after they were made, to numbers that are none or negative. What is needed then is the most there
// is: a need must be equal to itself, or it could not be withdrawn.

extension Double {
  fileprivate var orMost: Double { self > 0 ? self : 0 }
}

extension RequestTerms {
  /// What a request needs of the source: any fix, as soon as it comes.
  var need: Demand {
    .continuous(ContinuousDemand(accuracy: level.worstAccuracy.orMost, activity: activity))
  }
}

extension SubscriptionTerms {
  /// What a subscription needs of the source.
  var need: Demand {
    switch self {
    case .fixes(let terms):
      // The filter may stretch with the speed, never shrink: the source can apply the plain one.
      .continuous(
        ContinuousDemand(
          accuracy: terms.level.worstAccuracy.orMost, distanceFilter: terms.distanceFilter.orMost,
          activity: terms.activity)
      )
    case .significantChanges: .significantChanges
    // A device that stays gives no fixes through a distance filter, so that nobody would know that it stays.
    case .visits(let terms): .continuous(ContinuousDemand(accuracy: terms.radius.orMost))
    // A device that stays gives no fixes through a distance filter, so that nothing better would come to one held.
    case .accepted(let terms):
      .continuous(ContinuousDemand(accuracy: terms.requiredAccuracy.orMost, activity: terms.activity))
    // What a receiver gives under open sky. Coarser, a walk would take minutes to tell from an error that wanders.
    case .motions: .continuous(ContinuousDemand(accuracy: AccuracyLevel.house.worstAccuracy))
    case .headings(let terms): Demand(headings: HeadingDemand(filter: terms.filter.orMost))
    case .track(let terms): .continuous(terms.need)
    }
  }
}

extension SubscriptionTerms {
  /// As what it needs that.
  var party: NeedBooks.Party {
    switch self {
    case .fixes, .significantChanges, .headings: .subscriptions
    case .visits, .accepted, .motions: .watches
    case .track: .trackers
    }
  }
}

extension TrackTerms {
  /// What a tracker needs of the source while it does not rest. A way is only as good as the fixes it is made of, so it
  /// asks for the best there are, however poor a signal may be called strong.
  var need: ContinuousDemand {
    let best = AccuracyLevel.room.worstAccuracy
    let accuracy = min(signal.requiredAccuracy.orMost, best)
    return switch method {
    case .estimated: ContinuousDemand(accuracy: accuracy, activity: activity)
    case .candidates(let settings):
      ContinuousDemand(
        accuracy: accuracy, distanceFilter: settings.distanceFilter.orMost, activity: activity)
    }
  }
}
