import Testing
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct LineSimplifierTests {
  @Test func straightLineRetainsOnlyItsEnds() {
    let line = (0...10).map { PlanePoint(x: Double($0), y: 2 * Double($0)) }
    #expect(LineSimplifier.keptIndices(of: line, tolerance: 0.1) == [0, 10])
  }

  @Test(arguments: [0, 1, 2]) func shortLineIsUnchanged(count: Int) {
    let line = (0..<count).map { PlanePoint(x: Double($0), y: 0) }
    #expect(LineSimplifier.keptIndices(of: line, tolerance: 5) == Array(0..<count))
  }

  @Test func detourIsRetained() {
    let line = [PlanePoint(x: 0, y: 0), PlanePoint(x: 9, y: 0), PlanePoint(x: 0, y: 0)]
    #expect(LineSimplifier.keptIndices(of: line, tolerance: 1) == [0, 1, 2])
  }

  @Test(arguments: 1...50) func omittedPointsAreWithinTolerance(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var point = PlanePoint(x: 0, y: 0)
    let line = (0..<3000).map { _ in
      point.x += Double.random(in: -1...1.5, using: &random)
      point.y += Double.random(in: -1...1, using: &random)
      return point
    }
    let kept = LineSimplifier.keptIndices(of: line, tolerance: 2)
    #expect(kept.first == 0 && kept.last == line.count - 1 && kept.count < line.count / 2)
    for (start, end) in zip(kept, kept.dropFirst()) {
      for index in start...end {
        #expect(
          line[index].distance(toLineFrom: line[start], to: line[end]) <= 2, "seed \(seed), point \(index)")
      }
    }
  }
}
