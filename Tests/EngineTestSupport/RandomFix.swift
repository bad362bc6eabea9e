package import WhereaboutsModel
import WhereaboutsGeodesy
package import WhereaboutsTesting

extension SeededGenerator {
  package mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

  /// A number with a number of decimals, as in a recording.
  package mutating func decimal(in range: ClosedRange<Double>, places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    return (Double.random(in: range, using: &self) * scale).rounded() / scale
  }

  private mutating func optionalValue<Value>(_ value: (inout SeededGenerator) -> Value) -> Value? {
    chance(0.6) ? value(&self) : nil
  }

  /// A fix with any of its fields present, some at their extremes, some with all the digits of a `Double`.
  package mutating func fix(source: Fix.SourceKind? = nil) -> Fix {
    let places = Int.random(in: 0...17, using: &self)
    func real(_ range: ClosedRange<Double>, _ random: inout SeededGenerator) -> Double {
      places > 9 ? Double.random(in: range, using: &random) : random.decimal(in: range, places: places)
    }
    let coordinate = Coordinate(latitude: real(-90...90, &self), longitude: real(-180...180, &self))
    let spans: [ClosedRange<Int64>] = [0...2_000_000_000, -9_000_000_000...9_000_000_000]
    let time = optionalValue { random in
      let seconds = Int64.random(in: spans.randomElement(using: &random) ?? 0...1, using: &random)
      let scale: Int64 = [1_000_000_000, 1_000_000, 1000, 1].randomElement(using: &random) ?? 1
      let fraction = Int64.random(in: 0..<1_000_000_000, using: &random) / scale * scale
      return UTCTime(nanosecondsSince1970: seconds * 1_000_000_000 + fraction)
    }
    var fix = Fix(
      coordinate: coordinate ?? Coordinate(uncheckedLatitude: 0, longitude: 0), time: time,
      source: source ?? Fix.SourceKind.allCases.randomElement(using: &self) ?? .gpx, isSimulated: chance(0.3))
    fix.isAccuracyEstimated = chance(0.5)
    fix.horizontalAccuracy = optionalValue { real(0...5000, &$0) }
    fix.verticalAccuracy = optionalValue { real(0...5000, &$0) }
    fix.heightAboveGeoid = optionalValue { real(-430...8849, &$0) }
    fix.heightAboveEllipsoid = optionalValue { real(-430...1e7, &$0) }
    fix.speed = optionalValue { real(0...300, &$0) }
    fix.speedAccuracy = optionalValue { real(0...30, &$0) }
    fix.course = optionalValue { min(real(0...360, &$0), 359.9) }
    fix.courseAccuracy = optionalValue { real(0...180, &$0) }
    fix.climb = optionalValue { real(-20...20, &$0) }
    fix.mode = optionalValue { $0.chance(0.5) ? Fix.Mode.twoD : .threeD }
    fix.solution = optionalValue {
      Fix.SolutionKind.allCases.randomElement(using: &$0) ?? Fix.SolutionKind.autonomous
    }
    fix.satellitesUsed = optionalValue { UInt8.random(in: 0...255, using: &$0) }
    fix.satellitesInView = optionalValue { UInt8.random(in: 0...255, using: &$0) }
    fix.horizontalDilution = optionalValue { Float(real(0...99.99, &$0)) }
    fix.verticalDilution = optionalValue { Float($0.decimal(in: 0...20000, places: 2)) }
    fix.positionDilution = optionalValue { Float.random(in: 0...99, using: &$0) }
    // From another value, so that the fixes of a seed stay the same.
    fix.floor = fix.satellitesInView.map { Int16(Int8(bitPattern: $0)) }
    let activities = Fix.StatedActivity.allCases
    fix.activity = fix.satellitesUsed.map { activities[Int($0) % activities.count] }
    return fix
  }
}
