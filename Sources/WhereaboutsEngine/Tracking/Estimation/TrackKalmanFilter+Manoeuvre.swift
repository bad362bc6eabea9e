import WhereaboutsModel

extension TrackKalmanFilter {
  /// Returns the agility of a manoeuvre at the first of some surprising fixes, in m²/s³ per axis; `nil` if one manoeuvre
  /// does not explain all of them. The filter is the one before the first of them.
  ///
  /// One surprise may be an outlier. Several in a row at one velocity, which differs from the velocity before, are a
  /// stop, a start or a turn. If a car's stop is modelled as a lasting error, the estimated place drifts tens of metres
  /// along, and the correction then counts as a movement.
  ///
  /// - Parameters:
  ///   - nodes: fixes without a stated velocity: stated velocities show manoeuvres by themselves.
  ///   - isLearned: whether ``learnNoise(_:)`` has processed the fixes.
  func manoeuvre(explaining nodes: ArraySlice<TrackNode>, isLearned: Bool = false) -> Double? {
    guard let first = nodes.first, let last = nodes.last, nodes.count > 1 else { return nil }
    let seconds = last.sample.time.seconds(since: first.sample.time)
    let change = (last.sample.place - first.sample.place) / seconds - state.velocity
    // The agility that makes such a change the average one.
    let manoeuvre = (change * change).sum() / 2 / first.step.duration
    var trial = self
    for index in nodes.indices {
      let again = trial.process(
        nodes[index].sample, isLearned: isLearned, manoeuvre: index == nodes.startIndex ? manoeuvre : 0)
      guard again.surprisesInARow == 0 else { return nil }
    }
    return manoeuvre
  }
}
