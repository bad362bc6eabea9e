import WhereaboutsEngine
import Whereabouts

/// Lets an odometer process some fixes.
func process(_ fixes: [Fix], into odometer: inout Odometer) {
  for fix in fixes { odometer.process(fix) { _ in } }
}

/// The same, so that a counter of instructions can tell it apart: `--toggle-collect=*counted*`.
@inline(never)
func counted(_ fixes: [Fix], into odometer: inout Odometer) {
  for fix in fixes { odometer.process(fix) { _ in } }
}

/// The plain sum of the geodesics from fix to fix: what is least to be done.
@inline(never)
func summed(_ fixes: [Fix]) -> Double {
  var total = 0.0
  for index in fixes.indices.dropFirst() {
    total += fixes[index - 1].coordinate.distance(to: fixes[index].coordinate)
  }
  return total
}

/// An engine with its latest effects.
struct Tracking {
  private var engine = Engine()
  private var effects: [Effect] = []

  /// - Parameter terms: the subscription that receives the fixes.
  init(_ terms: SubscriptionTerms) {
    let start = Moment(instant: .start, wall: nil)
    engine.handle(.subscribe(SubscriptionID(1), terms), at: start, into: &effects)
    engine.handle(.track(SubscriptionID(1), .start), at: start, into: &effects)
  }

  /// The same as ``process(_:)``, so that a counter of instructions can tell it apart.
  @inline(never)
  mutating func counted(_ fixes: [Fix]) { process(fixes) }

  mutating func process(_ fixes: [Fix]) {
    guard let first = fixes.first?.time else { return }
    for fix in fixes {
      effects.removeAll(keepingCapacity: true)
      let instant = Instant(fix.time?.since(first) ?? .zero)
      engine.handle(
        .signal(.fix(fix, age: .sinceArrival)), at: Moment(instant: instant, wall: nil), into: &effects)
    }
  }
}
