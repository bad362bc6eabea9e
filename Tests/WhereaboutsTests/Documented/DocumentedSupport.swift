import Testing
import Whereabouts
import WhereaboutsTesting

/// The start of a test, 2024-06-01T12:00:00Z, a Saturday; `fix(_:at:north:)` counts its seconds from here.
let startOfTest = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

/// Returns the place a number of metres north and east of the place of `fix(_:at:north:)`.
func placeNear(north: Double, east: Double = 0) throws -> Coordinate {
  try #require(Coordinate(latitude: 47 + north / 111_170, longitude: 8 + east / 76_060))
}

/// Returns a circular fence a number of metres north of the place of `fix(_:at:north:)`.
func circle(
  _ id: FenceID, north: Double = 0, radius: Double = 100, _ terms: FenceTerms = FenceTerms()
) throws -> Fence {
  Fence(
    id: id, area: .circle(try Area.Circle(center: try placeNear(north: north), radius: radius)), terms: terms)
}

/// Returns every element of a stream until its end.
func allElements<Element>(of stream: EventStream<Element>) async -> [Element] {
  var elements: [Element] = []
  for await element in stream { elements.append(element) }
  return elements
}

extension ScriptedSource {
  /// Emits a fix each second, and moves the clock with the fixes.
  ///
  /// - Parameter north: the metres north at a second.
  func travel(
    _ seconds: ClosedRange<Int>, accuracy: Double = 4, clock: StepClock, north: (Double) -> Double
  ) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await emit(fix(accuracy, at: Double(second), north: north(Double(second))))
    }
  }
}
