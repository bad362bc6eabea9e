package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// A fix at a number of seconds after the start of a test, and about a number of metres north of a fixed place.
package func fix(_ accuracy: Double?, at seconds: Double?, north metres: Double = 0, speed: Double? = nil)
  -> Fix
{
  Fix.test(
    latitude: 47 + metres / 111_170, longitude: 8, accuracy: accuracy, time: seconds.map(utc), speed: speed)
}

/// A fence around a place about a number of metres north of the fixed place of ``fix(_:at:north:speed:)``.
package func fence(
  _ id: String, north metres: Double = 0, radius: Double = 100, _ terms: FenceTerms = FenceTerms()
) -> Fence {
  guard let center = Coordinate(latitude: 47 + metres / 111_170, longitude: 8),
    let circle = try? Area.Circle(center: center, radius: radius)
  else { preconditionFailure("\(id) is no circle") }
  return Fence(id: FenceID(id), area: .circle(circle), terms: terms)
}

/// The signal of a fix from a live source.
package func live(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceArrival)) }

/// The signal of a fix from a source that may send old fixes.
package func cached(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceFixTime)) }

/// Ids for the requests of a test.
package let a = RequestID(1), b = RequestID(2), c = RequestID(3)
/// Ids for the subscriptions of a test.
package let s = SubscriptionID(1), u = SubscriptionID(2)
