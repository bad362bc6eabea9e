import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

@Suite struct EndpointTests {
  @Test func settingsRoundTrip() throws {
    var endpoint = Endpoint(name: "a", url: "https://example.org", template: .osmand)
    endpoint.device = "car"
    endpoint.shownAs = "12345678"
    endpoint.terms = nil
    endpoint.interval = .milliseconds(1500)
    endpoint.backoff = Endpoint.Backoff(first: 2, longest: 60)
    endpoint.maximumAttempts = 5
    endpoint.authorizationFile = "/etc/auth"
    for one in [endpoint, Endpoint(name: "b", url: "http://b", template: .whereabouts)] {
      #expect(try JSONDecoder().decode(Endpoint.self, from: try JSONEncoder().encode(one)).problem == nil)
      let back = try JSONDecoder().decode(Endpoint.self, from: try JSONEncoder().encode(one))
      #expect(back == one)
    }
  }

  /// Between nothing and a bound that doubles, and spread over all of it.
  @Test func waitsAreRandomizedAndBounded() {
    let backoff = Endpoint.Backoff(first: 1, longest: 60)
    var random = SeededGenerator(seed: 7)
    for attempts in [1, 2, 3, 6, 7, 50, Int.max] {
      let bound = min(60, 1 * pow(2, Double(min(attempts, 40) - 1)))
      let waits = (0..<400).map { _ in
        Double(backoff.delay(after: attempts, using: &random).components.attoseconds) / 1e18
          + Double(backoff.delay(after: attempts, using: &random).components.seconds)
      }
      #expect(waits.allSatisfy { $0 >= 0 && $0 <= bound + 1 })
      let mean = waits.reduce(0, +) / 400
      #expect((bound * 0.4...bound * 0.6 + 0.5).contains(mean), "\(attempts): \(mean) of \(bound)")
    }
  }

  @Test func invalidBoundsBecomeStandardValues() {
    #expect(Endpoint.Backoff(first: .nan, longest: -1) == Endpoint.Backoff())
    #expect(Endpoint.Backoff(first: 10, longest: 5).longest == 10)
  }
}
