import WhereaboutsEngine
import WhereaboutsModel

/// The loop's handling of subscriptions and trackers: owns the sending ends of their streams.
extension EngineLoop {
  /// Subscribes.
  ///
  /// - Parameter new: the channels, each of which receives the events it wants.
  mutating func subscribe(_ id: SubscriptionID, _ terms: SubscriptionTerms, _ new: [UpdateChannel]) async {
    channels[id] = new
    if case .track(let terms) = terms, let trip = terms.trip {
      if store.hasEnded(trip) { return await refuseTracker(id, of: trip) }
      trips[id] = trip
    }
    await handle(.subscribe(id, terms))
  }

  /// Ends a subscription. Streams may be released more than once, and after the end of their subscription.
  mutating func unsubscribe(_ id: SubscriptionID) async {
    if channels[id] != nil { await handle(.unsubscribe(id)) }
    await finish(id)
  }

  /// Sends an event to each channel of a subscription.
  mutating func deliver(_ id: SubscriptionID, _ event: SubscriptionEvent) async {
    if case .track(let update) = event, update.phase == .stopped { finalUpdates[id] = update }
    if case .trackPhase(_, because: .tripEnded(let trip)) = event {
      refusedTrips[id] = trip
      // The end of the tracker must not end a later trip of the name.
      trips[id] = nil
    }
    guard let count = channels[id]?.count else { return }
    for index in 0..<count { await channels[id]?[index].send(event) }
  }

  /// Finishes the channels of a subscription.
  mutating func finish(_ id: SubscriptionID) async {
    for channel in channels.removeValue(forKey: id) ?? [] { await channel.finish() }
  }

  /// Closes a channel of a subscription, because the channel has no consumer any more.
  mutating func closeChannel(_ number: Int, of id: SubscriptionID) async {
    await channels[id]?[number].close()
  }

  /// Processes a change of the consumer of a subscription's channel.
  mutating func processConsumerChange(
    _ change: ConsumerChange, ofChannel number: Int, of id: SubscriptionID
  ) {
    channels[id]?[number].process(change)
  }

  /// Counts updates that a subscriber has consumed.
  mutating func markConsumed(_ count: Int, of id: SubscriptionID) {
    guard let index = channels[id]?.firstIndex(where: \.blocksSource) else { return }
    channels[id]?[index].markConsumed(count)
  }

  // MARK: Trackers

  /// Sends a command to a tracker.
  mutating func commandTracker(_ id: SubscriptionID, _ command: TrackPhase.Command) async
    -> TrackCommandResult
  {
    if let trip = refusedTrips[id] {
      return TrackCommandResult(phase: .stopped, cause: .tripEnded(trip), update: finalUpdates[id])
    }
    await handle(.track(id, command))
    return trackCommandResult(of: id)
  }

  /// Ends a tracker because a trip of its name has ended, and would be replaced in the store.
  private mutating func refuseTracker(_ id: SubscriptionID, of trip: TripID) async {
    await deliver(id, .trackPhase(.stopped, because: .tripEnded(trip)))
    if engine.tracker(of: trip) == id { await handle(.endTrip(trip)) }
    await finish(id)
  }

  /// Refuses the trackers from before a late load whose trips have ended.
  mutating func refuseTrackersOfEndedTrips() async {
    for (id, trip) in trips.sorted(by: { $0.key < $1.key })
    where store.hasEnded(trip) && engine.tracker(of: trip) == id {
      await refuseTracker(id, of: trip)
    }
  }

  /// Returns a tracker's state, also after its end; `nil` if the tracker is unknown.
  func trackUpdate(of id: SubscriptionID) -> TrackUpdate? {
    engine.trackUpdate(of: id) ?? finalUpdates[id]
  }

  /// Ends a tracker and its trip. A repeated end has no effect: the trip of the name may be a later one.
  mutating func endTracker(_ id: SubscriptionID) async {
    if let trip = trips.removeValue(forKey: id), [id, nil].contains(engine.tracker(of: trip)) {
      await handle(.endTrip(trip))
    }
    await unsubscribe(id)
  }

  /// Releases a tracker that has no holder any more.
  mutating func releaseTracker(_ id: SubscriptionID) async {
    await unsubscribe(id)
    finalUpdates[id] = nil
    trips[id] = nil
    refusedTrips[id] = nil
  }

  /// Returns a tracker's result of its last command.
  private func trackCommandResult(of id: SubscriptionID) -> TrackCommandResult {
    for case .notify(id, .trackPhase(let phase, let cause)) in effects.reversed() {
      return TrackCommandResult(phase: phase, cause: cause, update: trackUpdate(of: id))
    }
    var cause = TrackPhase.Cause.released
    if case .ended(let problem) = engine.status.source { cause = .sourceEnded(problem) }
    return TrackCommandResult(phase: .stopped, cause: cause, update: finalUpdates[id])
  }
}
