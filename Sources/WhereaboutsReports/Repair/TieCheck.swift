import WhereaboutsGeodesy

/// A check for fixes of one instant at places too far apart.
///
/// Times of whole minutes are rounded: a moving device may then be at several places of one time.
struct TieCheck {
  /// The fixes of one instant that are compared; more are left as they are.
  private static let mostFixes = 64
  /// A speed of movement within the resolution of a time, in metres a second.
  private static let speed = 70.0

  private var before: PastFix?
  private(set) var keys: [PastFix.Key] = []

  /// Checks the fixes of one instant.
  ///
  /// - Returns: the fixes at possible places.
  mutating func process(_ fixes: [PastFix]) -> [PastFix] {
    guard fixes.count > 1, fixes.count <= Self.mostFixes, let first = fixes.first else {
      before = fixes.last ?? before
      return fixes
    }
    // The fix nearest to the one before is the right one.
    let kept =
      before.flatMap { before in
        fixes.min {
          $0.coordinate.distance(to: before.coordinate) < $1.coordinate.distance(to: before.coordinate)
        }
      } ?? first
    var possible: [PastFix] = []
    for fix in fixes {
      let limit = Self.speed * fix.resolution + fix.errorAllowance(with: kept) + 30
      if fix.coordinate.distance(to: kept.coordinate) <= limit {
        possible.append(fix)
      } else {
        keys.append(fix.key)
      }
    }
    before = possible.last ?? before
    return possible
  }
}
