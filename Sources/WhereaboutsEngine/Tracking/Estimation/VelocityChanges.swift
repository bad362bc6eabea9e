import WhereaboutsModel

/// The changes of velocity, once all later fixes are known: turns that no single fix shows, and how much of the path's
/// bends is noise.
///
/// At walking pace, a turn is a surprise of one or two standard deviations at each of several fixes. The filter takes it
/// for noise, for a lasting error, and for a little agility, and rounds it off. Looking back, the change of velocity is
/// known from all fixes after it, and stands out from its own uncertainty.
///
/// - Source: de Jong and Penzer, as in ``MotionState/changeOfVelocity(over:to:)``; structural breaks by such tests are in
///   Harvey and Koopman, "Diagnostic checking of unobserved-components time series models", *Journal of Business &
///   Economic Statistics* 10 (4), 1992.
struct VelocityChanges {
  /// The clearest manoeuvre: the index of the node after it, and its agility in m²/s³ an axis; `nil` if none stands out.
  private(set) var manoeuvre: (index: Int, agility: Double)?
  private var seen = 0.0
  private var expected = 0.0
  private var count = 0

  /// Examines the steps without a stated speed between smoothed nodes.
  ///
  /// - Parameters:
  ///   - nodes: smoothed nodes.
  ///   - first: the index of the first node that the search is for, above 0.
  ///   - scale: the factor for all variances.
  /// - Complexity: O(n), and the fixes of 20 s for each candidate.
  init(of nodes: [TrackNode], from first: Int, scale: Double, _ model: MotionModel) {
    // Stated speeds show manoeuvres by themselves.
    let start = max(first, (nodes.lastIndex { $0.sample.speed != nil } ?? 0) + 1)
    var clearest = model.fullWeightDeviations * model.fullWeightDeviations * scale
    // A device that turns back at once changes its velocity by twice its speed.
    let greatest = 2 * model.greatestSpeed
    for index in nodes.indices.dropFirst()
    where nodes[index].sample.speed == nil && nodes[index].manoeuvre == 0 {
      let step = nodes[index].step
      guard step.duration > 0, step.duration < Self.longestStep,
        let change = nodes[index - 1].filtered.changeOfVelocity(over: step, to: nodes[index].smoothed)
      else { continue }
      seen += change.square / 2 / (change.variance * change.variance)
      expected += 1 / change.variance
      count += 1
      // The newest fix may be an outlier, and no later fix shows that.
      guard index >= start, index < nodes.count - 1, change.square > clearest * change.variance,
        // Fixes of almost one instant can lie as far apart as their errors.
        change.square <= greatest * greatest
      else { continue }
      // The agility that makes such a change the average one.
      let agility = (change.square / 2 - scale * change.variance) / step.duration
      // The remainder of a greater manoeuvre beside this step is no manoeuvre of its own.
      guard agility >= max(nodes[index - 1].manoeuvre, nodes[index + 1].manoeuvre),
        Self.isMovement(around: index, in: nodes, scale: scale, model)
      else { continue }
      clearest = change.square / change.variance
      manoeuvre = (index, agility)
    }
  }

  /// The share of the distance hidden by noise that is missing from the path, in [0, 1]; 1 where too little is known.
  ///
  /// The smoothed velocity changes as much as the agility says if the device does, and half as much if the device goes
  /// straight and only noise bends its path. In the first case all that the noise hides is missing. In the second, the
  /// noise has already lengthened the path, by half as much. Between, the share is on the line through both. It is never
  /// negative, because the noise of receivers that smooth their fixes bends the path less.
  var hiddenDistanceShare: Double {
    count < Self.requiredCount ? 1 : min(1, max(0, 3 * seen / expected - 2))
  }

  /// Returns whether the device surely moves some seconds before the step to a node, and some seconds after it, or at the
  /// first and the last node where these are nearer. Fixes that wander at rest show changes of velocity, too.
  private static func isMovement(
    around index: Int, in nodes: [TrackNode], scale: Double, _ model: MotionModel
  ) -> Bool {
    let time = nodes[index].sample.time
    var before = index - 1, after = index
    while before > 0, time.seconds(since: nodes[before].sample.time) < settlingTime { before -= 1 }
    while after < nodes.count - 1, nodes[after].sample.time.seconds(since: time) < settlingTime { after += 1 }
    func isMoving(_ node: TrackNode) -> Bool {
      node.speed > model.fullWeightDeviations * (max(0, node.smoothed.covariance.vv) * scale).squareRoot()
    }
    return isMoving(nodes[before]) && isMoving(nodes[after])
  }

  /// The length of a step in seconds from which a change of velocity is usual: the time in which a walker turns and
  /// goes on.
  static let longestStep = 4.0
  /// The time in seconds in which a turn no longer slows the smoothed path of a walker. A choice without a source: 8 to 12
  /// yield nearly the same.
  private static let settlingTime = 10.0
  /// The least number of changes for a measurement.
  private static let requiredCount = 10
}
