import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct FenceWriterTests {
  @Test func eachFeatureIsOneLine() throws {
    let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let fence = Fence(
      id: "home", area: .circle(try Area.Circle(center: place, radius: 50)),
      terms: FenceTerms(
        enterConfidence: 0.9, dwell: .milliseconds(90_500), notify: [.exit, .enter],
        activeHours: ActiveHours(
          [ActiveHours.Window(start: 540, minutes: 480)], aheadOfUTC: .seconds(-12_600))),
      name: "Home", properties: ["b": .number(1), "a": .array([.null])])
    #expect(
      String(decoding: FenceWriter().write([fence]), as: UTF8.self) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"home","properties":{"name":"Home","radius":50,"enterConfidence":0.9,"dwell":90.5,"notify":["enter","exit"],"activeHours":["Mo 09:00-17:00"],"utcOffset":"-03:30","a":[null],"b":1},"geometry":{"type":"Point","coordinates":[13.4,52.5]}}
        ]}

        """)
    #expect(
      String(decoding: FenceWriter().write([]), as: UTF8.self)
        == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
  }

  /// The reader would replace an omitted term by the default.
  @Test func zeroIsWrittenWhereTheDefaultIsAnother() {
    let defaults = FenceTerms(
      hysteresisMargin: 5, enterDwell: .seconds(10), exitDwell: .seconds(30), reportsInitialSide: true,
      once: true, responsiveness: .seconds(60))
    func text(_ terms: FenceTerms) -> String {
      var bytes: [UInt8] = []
      bytes.appendJSONObject { $0.appendTermProperties(terms, omitting: defaults) }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      text(FenceTerms())
        == #"{"hysteresisMargin":0,"enterDwell":0,"exitDwell":0,"reportsInitialSide":false,"once":false,"responsiveness":0}"#
    )
    #expect(text(defaults) == "{}")
  }

  @Test(arguments: PropertyCases.seeds(20, of: 1...200)) func exactStyleRoundTrips(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let greatest: Double = [100.0, 10_000, 1_000_000].randomElement(using: &random) ?? 100
    let fences = try (0..<5).map { try random.fence(FenceID("\($0)ü"), upTo: greatest) }
    let file = FenceReader().read(FenceWriter(style: .exact).write(fences))
    #expect(file.problems.isEmpty, "seed \(seed): \(file.problems)")
    #expect(file.fences == fences, "seed \(seed)")
  }

  @Test(arguments: PropertyCases.seeds(10, of: 1...60)) func interchangeStyleCoversTheSameArea(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let greatest: Double = [100.0, 10_000, 300_000].randomElement(using: &random) ?? 100
    let fence = try random.fence("a", upTo: greatest)
    let written = FenceWriter().write([fence])
    let file = FenceReader().read(written)
    #expect(file.problems.isEmpty, "seed \(seed): \(file.problems)")
    let again = try #require(file.fences.first)
    #expect(again.terms == fence.terms)
    #expect(again.properties == fence.properties)
    #expect(FenceReader().read(FenceWriter().write([again])).problems.isEmpty)
    let box = fence.area.boundingBox
    let wanted = PreparedArea(fence.area), found = PreparedArea(again.area)
    for _ in 0..<40 {
      let probe = random.place(in: box)
      let distance = wanted.signedDistance(to: probe)
      // Twice the tolerance, once for each way.
      guard distance.metres.magnitude > distance.errorBound + 0.3 else { continue }
      #expect(
        (found.signedDistance(to: probe).metres < 0) == (distance.metres < 0),
        "seed \(seed): \(probe), \(distance.metres) m")
    }
  }

  @Test(arguments: PropertyCases.seeds(20, of: 1...100))
  func ringsWindAsTheStandardRequires(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fence = try random.fence("a", upTo: 100_000)
    let written = FenceWriter(style: .interchange).write([fence])
    for polygon in try polygons(in: written) {
      for (index, ring) in polygon.enumerated() {
        let flat = ring.dropLast().map { FlatPolygon.Point(x: $0.longitude, y: $0.latitude) }
        #expect((FlatPolygon.doubledArea(flat) > 0) == (index == 0), "seed \(seed)")
        for (start, end) in zip(ring, ring.dropFirst()) {
          #expect(
            (start.longitude - end.longitude).magnitude <= 180 || start.latitude.magnitude == 90,
            "seed \(seed)")
        }
      }
    }
  }

  private func polygons(in bytes: [UInt8]) throws -> [[[Coordinate]]] {
    try bytes.withUnsafeBytes { bytes in
      var walk = JSONScanner(bytes)
      let mark = Array(#""geometry":"#.utf8)
      while walk.position < bytes.count, !bytes[walk.position...].starts(with: mark) { walk.position += 1 }
      var geometry = GeoJSONGeometry(walk)
      try geometry.read(at: walk.position + mark.count)
      return geometry.shape.polygons
    }
  }

  @Test func areaAcrossTheAntimeridianIsCutInTwo() throws {
    let corners = [(0.0, 179.0), (0, -179), (1, -179), (1, 179)].compactMap {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    let holes = [(0.4, 179.5), (0.6, 179.5), (0.6, -179.5), (0.4, -179.5)].compactMap {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    let fence = Fence(id: "a", area: .polygon(try Area.Polygon(exterior: corners, holes: [holes])))
    let parts = try polygons(in: FenceWriter().write([fence]))
    // The hole reaches over the cut, so it is no hole of either part.
    try #require(parts.map(\.count) == [1, 1])
    #expect(
      parts.allSatisfy { $0[0].allSatisfy { $0.longitude > 0 } || $0[0].allSatisfy { $0.longitude < 0 } })
    let text = String(decoding: FenceWriter().write([fence]), as: UTF8.self)
    #expect(text.contains(#""type":"MultiPolygon""#))
    let again = try #require(FenceReader().read(Array(text.utf8)).fences.first)
    for (latitude, longitude, isInside) in [
      (0.2, 179.9, true), (0.2, -179.9, true), (0.5, 179.9, false), (0.5, -179.9, false), (0.5, 179.2, true),
      (0.5, -178, false),
    ] {
      let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
      #expect(again.area.contains(place) == isInside, "\(place)")
    }
  }

  @Test(arguments: [70.0, -70]) func areaAroundAPoleIsClosedAlongThePole(latitude: Double) throws {
    let corners = stride(from: -170.0, to: 180, by: 20).compactMap {
      Coordinate(latitude: latitude, longitude: $0)
    }
    let fence = Fence(id: "a", area: .polygon(try Area.Polygon(exterior: corners)))
    let parts = try polygons(in: FenceWriter().write([fence]))
    #expect((1...2).contains(parts.count))
    #expect(parts.allSatisfy { part in part.first?.contains { $0.latitude.magnitude == 90 } == true })
    let again = try #require(FenceReader().read(FenceWriter().write([fence])).fences.first)
    for longitude in stride(from: -180.0, through: 180, by: 15) {
      let near = try #require(Coordinate(latitude: latitude * 1.2, longitude: longitude))
      let far = try #require(Coordinate(latitude: latitude * 0.9, longitude: longitude))
      #expect(again.area.contains(near))
      #expect(!again.area.contains(far))
    }
  }

  @Test(arguments: [70.0, -70, 88], [0.0, 10, 180])
  func areaAroundAPoleIsEqualAfterEachReading(latitude: Double, first: Double) throws {
    let corners = stride(from: first, to: first + 360, by: 90).compactMap {
      Coordinate(latitude: latitude, wrappingLongitude: $0)
    }
    var bytes = FenceWriter().write([Fence(id: "a", area: .polygon(try Area.Polygon(exterior: corners)))])
    let count = try polygons(in: bytes).joined().map(\.count)
    #expect(count.count == 1)
    for round in 0..<3 {
      let file = FenceReader().read(bytes)
      #expect(file.problems.isEmpty)
      let next = FenceWriter().write(file.fences)
      if round > 0 { #expect(next == bytes) }
      bytes = next
      #expect(try polygons(in: bytes).joined().map(\.count) == count)
      let again = try #require(FenceReader().read(bytes).fences.first)
      for longitude in stride(from: -180.0, through: 180, by: 15) {
        let near = try #require(
          Coordinate(latitude: (latitude + (latitude > 0 ? 180 : -180)) / 3, longitude: longitude))
        let far = try #require(Coordinate(latitude: latitude * 0.5, longitude: longitude))
        #expect(again.area.contains(near) && !again.area.contains(far), "\(longitude)")
      }
    }
  }

  @Test func ownerPropertiesNamedLikeTermsAreOmitted() throws {
    let fence = Fence(
      id: "a",
      area: .circle(try Area.Circle(center: Coordinate(uncheckedLatitude: 0, longitude: 0), radius: 5)),
      properties: ["radius": .number(9), "once": .string("upon a time"), "width": .number(3)])
    let again = try #require(FenceReader().read(FenceWriter().write([fence])).fences.first)
    #expect(again.properties == ["width": .number(3)])
    #expect(again.area == fence.area)
  }

  @Test func outOfRangeTermsAreWrittenClamped() throws {
    let fence = Fence(
      id: "a",
      area: .circle(try Area.Circle(center: Coordinate(uncheckedLatitude: 0, longitude: 0), radius: 5)),
      terms: FenceTerms(
        enterConfidence: 7, exitConfidence: .nan, hysteresisMargin: -.infinity, enterDwell: .seconds(-1),
        dwell: .seconds(-1), responsiveness: .seconds(Int64.max)))
    let file = FenceReader().read(FenceWriter().write([fence]))
    #expect(file.problems.isEmpty)
    #expect(
      file.fences.first?.terms
        == FenceTerms(enterConfidence: 0.9999, dwell: .zero, responsiveness: .seconds(3_155_760_000)))
  }
}
