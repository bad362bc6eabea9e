package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// A fix made so many seconds after the start of a test, so many metres (about) north of a fixed place.
package func fix(_ accuracy: Double?, at seconds: Double?, north metres: Double = 0, speed: Double? = nil)
  -> Fix
{
  Fix.test(
    latitude: 47 + metres / 111_170, longitude: 8, accuracy: accuracy, time: seconds.map(utc), speed: speed)
}

/// A fence around a place so many metres (about) north of the one that fixes are counted from.
package func fence(
  _ id: String, north metres: Double = 0, radius: Double = 100, _ terms: FenceTerms = FenceTerms()
) -> Fence {
  guard let center = Coordinate(latitude: 47 + metres / 111_170, longitude: 8),
    let circle = try? Area.Circle(center: center, radius: radius)
  else { preconditionFailure("\(id) is no circle") }
  return Fence(id: FenceID(id), area: .circle(circle), terms: terms)
}

/// A source that hands fixes over as they are made says this one.
package func live(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceArrival)) }

/// A source that may hand over old fixes says this one.
package func cached(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceFixTime)) }

/// Names for the requests of a test, in the order they are made.
package let a = RequestID(1), b = RequestID(2), c = RequestID(3)
/// Names for the subscriptions of a test, in the order they are made.
package let s = SubscriptionID(1), u = SubscriptionID(2)
