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
    return explains(nodes, first: manoeuvre, later: 0, isLearned: isLearned) ? manoeuvre : nil
  }

  /// Returns the agility of a manoeuvre that lasts for all of some surprising fixes, in m²/s³ per axis; `nil` if no
  /// possible acceleration explains them. The filter is the one before the first of them, and has learned their noise.
  ///
  /// A car that pulls away changes its velocity between any two fixes of every few seconds, so no change at one moment
  /// explains them. If its start is modelled as a lasting error, the estimated place stays hundreds of metres behind.
  ///
  /// - Parameter nodes: as for ``manoeuvre(explaining:isLearned:)``.
  func lastingManoeuvre(explaining nodes: ArraySlice<TrackNode>) -> Double? {
    guard let first = nodes.first, let last = nodes.last, nodes.count > 1 else { return nil }
    let seconds = last.sample.time.seconds(since: first.sample.time), step = first.step.duration
    // The mean velocity between the fixes is that halfway.
    let change = (last.sample.place - first.sample.place) / seconds - state.velocity
    let acceleration = change / (step + seconds / 2)
    let square = (acceleration * acceleration).sum()
    guard square <= model.greatestAcceleration * model.greatestAcceleration else { return nil }
    // The agility that makes such a change the average one in each step.
    let manoeuvre = square * step / 2
    return explains(nodes, first: manoeuvre, later: manoeuvre, isLearned: true) ? manoeuvre : nil
  }

  /// Returns whether no fix is surprising if the agility is as great as given.
  private func explains(
    _ nodes: ArraySlice<TrackNode>, first: Double, later: Double, isLearned: Bool
  ) -> Bool {
    var trial = self
    for index in nodes.indices {
      let again = trial.process(
        nodes[index].sample, isLearned: isLearned, manoeuvre: index == nodes.startIndex ? first : later)
      guard again.surprisesInARow == 0 else { return false }
    }
    return true
  }
}
