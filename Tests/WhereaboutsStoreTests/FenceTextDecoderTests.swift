import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsStore

@Suite struct FenceTextDecoderTests {
  private static func circle(_ latitude: Double, _ longitude: Double, _ radius: Double) throws -> Area {
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    return .circle(try Area.Circle(center: center, radius: radius))
  }

  /// Fences whose texts the fast decoder reads, and others.
  private static func fences() throws -> [Fence] {
    let area = try circle(51.5, -0.1, 50)
    let corners = try [(1.0, 2.0), (1.0, 3.0), (2.0, 3.0)].map {
      try #require(Coordinate(latitude: $0.0, longitude: $0.1))
    }
    var once = FenceTerms()
    once.once = true
    return [
      Fence(id: "plain", area: area), Fence(id: "named", area: area, name: "Home"),
      Fence(id: "once", area: area, terms: once, name: "x"), Fence(id: "", area: area, name: ""),
      Fence(id: "quote\"s", area: area, name: "back\\slash \n \u{1F3E0} \u{0}"),
      Fence(id: "x", area: area, name: ",\"terms\":{\"once\":true}"),
      Fence(id: ",\"terms\":", area: area, terms: once),
      Fence(id: "kept", area: area, properties: ["terms": .object(["terms": .object([:])])]),
      Fence(id: "tiny", area: try circle(-0.0, 1e-300, 5e-1)),
      Fence(id: "polygon", area: .polygon(try Area.Polygon(exterior: corners))),
      Fence(id: "corridor", area: .corridor(try Area.Corridor(line: corners, width: 20)), terms: once),
    ]
  }

  @Test func fencesAreThoseOfTheGeneralDecoder() throws {
    var decoder = FenceTextDecoder()
    for fence in try Self.fences() {
      let text = try StoreJSON.encode(fence)
      #expect(try decoder.fence(text) == fence, "\(text)")
      #expect(try decoder.fence(text) == StoreJSON.decode(Fence.self, from: text), "\(text)")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func numbersAreExact(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed), decoder = FenceTextDecoder()
    for index in 0..<2_000 {
      let area = try Self.circle(
        .random(in: -90...90, using: &random), .random(in: -180..<180, using: &random),
        .random(in: 1...10_000, using: &random))
      let fence = Fence(id: FenceID("f\(index)"), area: area)
      #expect(try decoder.fence(try StoreJSON.encode(fence)) == fence, "seed \(seed)")
    }
  }

  /// Damaged texts, and texts of a newer program with unknown fields.
  @Test func otherTextsGoToTheGeneralDecoder() throws {
    let text = try StoreJSON.encode(try Self.fences()[1])
    var others = [
      text + "}", text.replacing("\"id\"", with: "\"ID\""), text.replacing("Point", with: "Pole"),
      text.replacing("51.5", with: "91.5"), text.replacing("\"once\":false", with: "\"once\":0"),
      text.replacing(",\"terms\"", with: ",\"more\":1,\"terms\""),
      text.replacing("\"radius\":50", with: "\"radius\":-1"),
      "", "{}", ",\"terms\":", text.dropLast() + ",\"zone\":{}}",
    ]
    for length in stride(from: 0, to: text.count, by: 7) { others.append(String(text.prefix(length))) }
    var decoder = FenceTextDecoder()
    for other in others {
      let fast = try? decoder.fence(other), general = try? StoreJSON.decode(Fence.self, from: other)
      #expect(fast == general, "\(other)")
    }
  }
}
