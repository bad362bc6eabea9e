/// A detector of movement: separates stretches in which the device moved from those in which only its fixes did.
///
/// A stretch is a movement if its speed is somewhere surely not zero: several times its own standard deviation. The
/// movement extends from the first such place to the last, through all places between at which the speed is possibly
/// not zero. Beyond both ends it extends as far as the speed is likely not zero, because fixes drift slowly after a
/// stop. A manoeuvre divides a stretch: each piece that is not brief needs a place of its own at which the speed is
/// surely not zero. So a slow walk counts whole once some seconds of it are significant, and the wandering fixes of a
/// resting receiver never count.
///
/// - Source: thresholding with hysteresis, as in Canny, "A computational approach to edge detection", *IEEE PAMI* 8
///   (6), 1986; zero-velocity tests are used in foot-mounted inertial navigation (Skog et al., "Zero-velocity
///   detection: an algorithm evaluation", *IEEE TBME* 57 (11), 2010).
struct MovementDetector: Sendable, Hashable, Codable {
  private let model: MotionModel
  private var marks: [Bool] = []
  /// Whether the last settled fix was in a movement.
  private(set) var wasMoving = false

  /// All properties except the marks, which are computed again before each use.
  private enum CodingKeys: String, CodingKey { case model, wasMoving }

  init(model: MotionModel) {
    self.model = model
    marks.reserveCapacity(2 * model.maximumLagFixes + 2)
  }

  /// Begins a new run.
  mutating func beginRun() {
    marks.removeAll(keepingCapacity: true)
    wasMoving = false
  }

  /// Returns whether the device moved at one of the nodes last marked.
  func isMoving(_ index: Int) -> Bool { marks[index] }

  /// Marks all nodes; the first may be settled already, with ``wasMoving`` as its mark.
  mutating func markMovements(_ nodes: [TrackNode], isFirstKnown: Bool) {
    marks.removeAll(keepingCapacity: true)
    if isFirstKnown { marks.append(wasMoving) }
    while marks.count < nodes.count {
      let start = marks.count
      guard isPossiblyMoving(nodes, start) else {
        marks.append(false)
        continue
      }
      let end = endOfPossibleMovement(nodes, from: start)
      let continues = isFirstKnown && start == 1 && wasMoving && nodes[start].manoeuvre == 0
      markPieces(of: start..<end, in: nodes, continues: continues)
    }
  }

  /// Marks the pieces of a stretch of possible movement between manoeuvres. A movement up to a manoeuvre is no evidence
  /// of one after it: the device may have stopped there.
  private mutating func markPieces(of stretch: Range<Int>, in nodes: [TrackNode], continues: Bool) {
    let hasMovement = continues || isMovement(nodes, stretch)
    var start = stretch.lowerBound
    while start < stretch.upperBound {
      var end = start + 1
      while end < stretch.upperBound, nodes[end].manoeuvre == 0 { end += 1 }
      let piece = start..<end
      let duration = piece.reduce(0) { $0 + nodes[$1].step.duration }
      let isBrief = piece != stretch && duration < Self.shortestWalkStep
      let continuesHere = continues && start == stretch.lowerBound
      let movement =
        switch (hasMovement, isBrief) {
        case (false, _): start..<start
        case (true, true): piece
        case (true, false): movement(nodes, in: piece, continues: continuesHere)
        }
      for index in piece { marks.append(movement.contains(index)) }
      start = end
    }
  }

  /// Returns the part of a piece that is a movement; empty if none is.
  private func movement(_ nodes: [TrackNode], in piece: Range<Int>, continues: Bool) -> Range<Int> {
    let sure = piece.first { isSurelyMoving(nodes, $0) }
    guard continues || sure != nil else { return piece.lowerBound..<piece.lowerBound }
    var first = piece.lowerBound
    if !continues {
      first = sure ?? first
      while first > piece.lowerBound, isLikelyMoving(nodes, first - 1) { first -= 1 }
    }
    var end = (piece.last { isSurelyMoving(nodes, $0) } ?? piece.lowerBound - 1) + 1
    while end < piece.upperBound, isLikelyMoving(nodes, end) { end += 1 }
    return first..<max(first, end)
  }

  /// Settles the nodes up to an index.
  mutating func settle(_ index: Int) {
    if marks.indices.contains(index) { wasMoving = marks[index] }
  }

  private func endOfPossibleMovement(_ nodes: [TrackNode], from start: Int) -> Int {
    var end = start + 1
    while end < nodes.count, isPossiblyMoving(nodes, end) { end += 1 }
    return end
  }

  private func isMovement(_ nodes: [TrackNode], _ stretch: Range<Int>) -> Bool {
    guard stretch.contains(where: { isSurelyMoving(nodes, $0) }) else { return false }
    return stretch.reduce(0) { $0 + nodes[$1].speed * nodes[$1].step.duration } >= model.leastMovement
  }

  private func isSurelyMoving(_ nodes: [TrackNode], _ index: Int) -> Bool {
    isFaster(nodes[index], than: model.sureMovementDeviations, floor: model.sureMovementSpeed)
      || isDisplaced(nodes, index, by: model.sureMovementDeviations)
      || isBeyondFixError(nodes, index)
  }

  private func isPossiblyMoving(_ nodes: [TrackNode], _ index: Int) -> Bool {
    let isSeparate =
      nodes[index].step.duration >= Self.separateStep
      && (nodes[index].sample.speed ?? 0) <= model.possibleMovementSpeed
    return isFaster(nodes[index], than: model.possibleMovementDeviations, floor: model.possibleMovementSpeed)
      || isDisplaced(
        nodes, index, by: isSeparate ? model.sureMovementDeviations : model.possibleMovementDeviations)
      || isBeyondFixError(nodes, index)
  }

  /// Returns whether the device moves at an end of a movement. With infrequent fixes, one low speed would cut off many
  /// seconds.
  private func isLikelyMoving(_ nodes: [TrackNode], _ index: Int) -> Bool {
    guard nodes[index].step.duration < Self.shortestWalkStep else { return isPossiblyMoving(nodes, index) }
    return isFaster(nodes[index], than: model.endOfMovementDeviations, floor: model.possibleMovementSpeed)
  }

  /// Returns whether the places differ significantly. Infrequent fixes are weak evidence of speed, but strong evidence
  /// of displacement.
  ///
  /// - Parameter deviations: the significant difference after a long step, in standard deviations. After a shorter
  ///   step, the difference must prove a movement also where the fixes state half of their error.
  private func isDisplaced(_ nodes: [TrackNode], _ index: Int, by deviations: Double) -> Bool {
    guard index > 0 else { return false }
    let node = nodes[index]
    var deviations = deviations
    if node.step.duration < Self.longStepDuration {
      guard node.step.duration >= Self.longestWalkStep, node.sample.speed == nil else { return false }
      deviations = 2 * model.sureMovementDeviations
    }
    let here = node.smoothed, there = nodes[index - 1].smoothed
    let variance = max(0, here.covariance.pp) + max(0, there.covariance.pp)
    return (here.place - there.place).length > deviations * variance.squareRoot()
  }

  /// Returns whether fixes are further apart than their errors explain. A device that keeps turning has no significant
  /// velocity when fixes come every few seconds, but its fixes, outliers apart, exceed this error. Their correlated
  /// error is the same in both.
  private func isBeyondFixError(_ nodes: [TrackNode], _ index: Int) -> Bool {
    guard index > 0, nodes[index].sample.speed == nil else { return false }
    guard (Self.shortestWalkStep..<Self.longestWalkStep).contains(nodes[index].step.duration) else {
      return false
    }
    guard nodes[index].surprisesInARow == 0, nodes[index - 1].surprisesInARow == 0 else { return false }
    let here = nodes[index].sample, there = nodes[index - 1].sample
    let way = here.place - there.place
    let variance = here.variance + there.variance
    return (way * way).sum() > model.sureMovementDeviations * model.sureMovementDeviations * variance
  }

  /// The step in seconds from which a displacement that is possibly one does not continue the movement beside it, unless a
  /// speed is stated. Chance alone displaces three of four fixes at rest by as much.
  private static let separateStep = 90.0
  /// The time after which a receiver's correlated error is independent, in seconds.
  private static let longStepDuration = 60.0
  /// The time in seconds in which a walker moves further than the error of most fixes, and in which the correlated
  /// error hardly changes.
  private static let shortestWalkStep = 4.0
  private static let longestWalkStep = 20.0

  private func isFaster(_ node: TrackNode, than deviations: Double, floor: Double) -> Bool {
    let speed = node.speed
    guard speed * speed > deviations * deviations * node.speedVariance else { return false }
    guard let stated = node.sample.speed else { return true }
    // Receivers at rest state such speeds because of errors that exact fixes do not have.
    return max(speed, node.hasVelocity ? 0 : stated) > floor * node.varianceScale.squareRoot()
  }
}
