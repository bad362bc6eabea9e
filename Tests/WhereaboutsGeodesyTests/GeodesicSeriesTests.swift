import RealModule
import Testing

@testable import WhereaboutsGeodesy

/// The series against the integrals they stand for, by quadrature.
@Suite struct GeodesicSeriesTests {
  /// Simpson's rule, which for these integrands is good to 1e-15 with so many steps.
  private func integral(to end: Double, _ f: (Double) -> Double) -> Double {
    let steps = 2_000
    let h = end / Double(2 * steps)
    var sum = f(0) + f(end)
    for i in 1..<(2 * steps) { sum += (i.isMultiple(of: 2) ? 2 : 4) * f(Double(i) * h) }
    return sum * h / 3
  }

  private func angle(_ radians: Double) -> Direction {
    Direction(sine: .sin(radians), cosine: .cos(radians))
  }

  @Test(arguments: [0, 0.1, 0.5, 0.9, 1], [0.3, 1, 1.7, 2.9])
  func seriesEqualTheIntegrals(cos²α0: Double, σ: Double) {
    let ε = expansionParameter(cos²α0: cos²α0)
    let k² = WGS84.secondEccentricitySquared * cos²α0
    let arc = GeodesicArc(from: angle(0), to: angle(σ))
    func stretch(_ σ: Double) -> Double { (1 + k² * .sin(σ) * .sin(σ)).squareRoot() }

    let length = GeodesicSeries.length(ε)
    #expect((length.integral(over: arc) - integral(to: σ, stretch)).magnitude < 1e-14)
    let reduced = integral(to: σ) { 1 / stretch($0) }
    #expect((GeodesicSeries.reducedLength(ε).integral(over: arc) - reduced).magnitude < 1e-14)
    let f = WGS84.flattening
    let longitude = integral(to: σ) { (2 - f) / (1 + (1 - f) * stretch($0)) }
    #expect((GeodesicSeries.longitude(ε).integral(over: arc) - longitude).magnitude < 1e-14)

    // And back from the length to σ.
    let τ = length.integral(over: arc) / (1 + length.excess)
    let back = τ + GeodesicSeries.arcOfLength(ε).periodicTerms(at: angle(τ))
    #expect((back - σ).magnitude < 2e-15)
    #expect((length.periodicTerms(at: angle(σ)) - (τ - σ)).magnitude < 1e-15)
  }

  @Test func sinesOfQuarterTurnsAreExact() {
    #expect(sines(ofDegrees: SIMD2(90, -90)) == SIMD2(1, -1))
    #expect(sines(ofDegrees: SIMD2(0, -0.0)) == SIMD2(0, 0))
    let turns: [(Double, Double, Double)] = [
      (0, 0, 1), (90, 1, 0), (180, 0, -1), (-90, -1, 0), (-180, 0, -1), (270, -1, 0), (360, 0, 1),
      (810, 1, 0),
    ]
    for (degrees, sine, cosine) in turns {
      let direction = Direction(degrees: degrees)
      #expect(direction.sine == sine && direction.cosine == cosine, "\(degrees)")
    }
  }

  @Test func sinesOfDegreesAreWithinTheirError() {
    for i in -9_000...9_000 {
      let degrees = Double(i) / 100
      let sine = sines(ofDegrees: SIMD2(degrees, 0)).x
      // The angle in radians is rounded too, which the cosine hides towards 90° and the size towards 0°.
      #expect((sine - .sin(degrees * .pi / 180)).magnitude < 3.4e-16, "\(degrees)°")
    }
  }
}
