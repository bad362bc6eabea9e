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

  /// The number of fixes after which the decision is made in any case.
  static let maximumCount = 4
  /// The odds that decide.
  static let decisiveOdds = (1 - OutlierModel.doubtThreshold) / OutlierModel.doubtThreshold

  var isEmpty: Bool { fixes.isEmpty }
  var last: CompactFix? { fixes.last }

  mutating func begin(with fix: CompactFix, odds: Double) {
    fixes.append(fix)
    self.odds = odds
    oddsAtFirst = odds
  }

  /// Holds back another fix.
  mutating func append(_ fix: CompactFix) { fixes.append(fix) }

  /// Updates the odds with another fix, given its likelihood under each hypothesis.
  mutating func updateOdds(there: Double, here: Double) { odds *= there / max(here, .leastNormalMagnitude) }

  var isAccepted: Bool { odds >= Self.decisiveOdds || (fixes.count >= Self.maximumCount && odds >= 1) }
  var isDismissed: Bool { odds <= 1 / Self.decisiveOdds || (fixes.count >= Self.maximumCount && odds < 1) }

  mutating func removeAll() { fixes.removeAll(keepingCapacity: true) }
}
