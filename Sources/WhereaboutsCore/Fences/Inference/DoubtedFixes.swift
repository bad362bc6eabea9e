/// Fixes that are held back because they are probably outliers, until those that follow say more.
///
/// Two accounts are weighed: the device is where it was and these fixes err, or it went where they say. What comes next
/// agrees with one of them.
struct DoubtedFixes: Hashable, Sendable, Codable {
  private(set) var fixes: [BriefFix] = []
  /// How many times more probable it is that the device went there.
  private(set) var odds = 1.0
  /// The same by the first of them alone.
  private(set) var oddsAtFirst = 1.0

  /// After so many it is decided, however unclear.
  static let most = 4
  /// Odds that decide.
  static let decisive = (1 - OutlierModel.doubtful) / OutlierModel.doubtful

  var isEmpty: Bool { fixes.isEmpty }
  var last: BriefFix? { fixes.last }

  mutating func begin(with fix: BriefFix, odds: Double) {
    fixes.append(fix)
    self.odds = odds
    oddsAtFirst = odds
  }

  /// Holds back one more.
  mutating func append(_ fix: BriefFix) { fixes.append(fix) }

  /// Weighs what one more fix says, by how probable it is by either account.
  mutating func weigh(there: Double, here: Double) { odds *= there / max(here, .leastNormalMagnitude) }

  var isBelieved: Bool { odds >= Self.decisive || (fixes.count >= Self.most && odds >= 1) }
  var isDismissed: Bool { odds <= 1 / Self.decisive || (fixes.count >= Self.most && odds < 1) }

  mutating func removeAll() { fixes.removeAll(keepingCapacity: true) }
}
