/// Fixes held back as probable outliers until later fixes settle them.
///
/// Two hypotheses are weighed: the device stayed and these fixes err, or the device went to their place. The next
/// fixes agree with one of the two.
struct OutlierCandidates: Hashable, Sendable, Codable {
  private(set) var fixes: [CompactFix] = []
  /// The odds that the device went to the place of the fixes.
  private(set) var odds = 1.0
  /// The odds by the first fix alone.
  private(set) var oddsAtFirst = 1.0

  /// The odds that decide for the movement. Optional for older stored states.
  private var needed: Double?

  /// The number of fixes after which the decision is made in any case.
  static let maximumCount = 4

  var isEmpty: Bool { fixes.isEmpty }
  var last: CompactFix? { fixes.last }

  /// Holds back a first fix.
  ///
  /// - Parameters:
  ///   - odds: the odds of the movement by this fix.
  ///   - needed: the odds that decide for the movement.
  mutating func begin(with fix: CompactFix, odds: Double, needed: Double) {
    fixes.append(fix)
    self.odds = odds
    oddsAtFirst = odds
    self.needed = needed
  }

  /// Holds back another fix.
  mutating func append(_ fix: CompactFix) { fixes.append(fix) }

  /// Updates the odds with another fix, given its likelihoods.
  ///
  /// - Parameters:
  ///   - there: for a device that went to the place of the held fixes.
  ///   - gone: for a device that has gone since, whatever the held fixes say.
  ///   - here: for a device that is still where it was.
  mutating func updateOdds(there: Double, gone: Double, here: Double) {
    odds = (odds * there + gone) / max(here, .leastNormalMagnitude)
  }

  /// Whether the device counts as gone to the place of the fixes.
  var isAccepted: Bool { odds >= (hasMany ? requiredOdds / OutlierModel.decisiveOdds : requiredOdds) }

  /// Returns whether the fixes count as outliers.
  ///
  /// - Parameter hasLeft: whether the newest fix is away from the resting place. A fix at the resting place dismisses the
  ///   held ones.
  func isDismissed(hasLeft: Bool) -> Bool {
    hasMany || odds <= 1 / OutlierModel.decisiveOdds || !hasLeft && odds < 1
  }

  private var requiredOdds: Double { needed ?? OutlierModel.decisiveOdds }
  private var hasMany: Bool { fixes.count >= Self.maximumCount }

  mutating func removeAll() { fixes.removeAll(keepingCapacity: true) }
}
