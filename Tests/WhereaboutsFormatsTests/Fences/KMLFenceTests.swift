import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct KMLFenceTests {
  /// As maps on the web export it: a folder a layer, descriptions with markup, columns of a table beside them.
  static let map = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>
        <name>Rounds</name>
        <Style id="poly-000000-1200-77"><LineStyle><color>ff000000</color><width>1.2</width></LineStyle></Style>
        <Folder>
          <name>Places</name>
          <Placemark>
            <name>Depot</name>
            <description><![CDATA[the <b>yard</b><br>opens at 7]]></description>
            <styleUrl>#poly-000000-1200-77</styleUrl>
            <ExtendedData>
              <Data name="dwell"><value>5m</value></Data>
              <Data name="once"><value>true</value></Data>
              <Data name="enterConfidence"><value></value></Data>
              <Data name="owner"><displayName>Owner</displayName><value>Ann &amp; Bo</value></Data>
            </ExtendedData>
            <Polygon>
              <outerBoundaryIs>
                <LinearRing>
                  <tessellate>1</tessellate>
                  <coordinates>
                    13.40,52.50,0
                    13.42,52.50,0
                    13.42,52.52,0
                    13.40,52.52,0
                    13.40,52.50,0
                  </coordinates>
                </LinearRing>
              </outerBoundaryIs>
              <innerBoundaryIs><LinearRing><coordinates>
                13.405,52.505 13.41,52.505 13.41,52.51 13.405,52.505
              </coordinates></LinearRing></innerBoundaryIs>
            </Polygon>
          </Placemark>
          <Placemark id="gate">
            <name>Gate</name>
            <ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="radius">25.5</SimpleData></SchemaData></ExtendedData>
            <Point><coordinates>13.4, 52.5, 0</coordinates></Point>
          </Placemark>
          <Placemark>
            <name>Depot</name>
            <MultiGeometry>
              <Point><coordinates>1,1</coordinates></Point>
              <Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 1.01,1 1,1.01 1,1</coordinates></LinearRing>
              </outerBoundaryIs></Polygon>
              <Polygon><outerBoundaryIs><LinearRing><coordinates>2,2 2.01,2 2,2.01 2,2</coordinates></LinearRing>
              </outerBoundaryIs></Polygon>
            </MultiGeometry>
          </Placemark>
          <Placemark>
            <name>Canal</name>
            <ExtendedData><Data name="width"><value>40</value></Data></ExtendedData>
            <LineString><tessellate>1</tessellate><coordinates>0,0,0 0.01,0.01,0</coordinates></LineString>
          </Placemark>
        </Folder>
      </Document>
    </kml>
    """

  @Test func placemarksAreFences() throws {
    let file = readFences(Self.map)
    #expect(file.format == .kml)
    #expect(file.problems.isEmpty, "\(file.problems)")
    try #require(file.fences.map(\.id.name) == ["Depot", "gate", "Depot-2", "Canal"])
    #expect(file.fences.map(\.name) == ["Depot", "Gate", "Depot", "Canal"])
    let depot = try #require(file.fences.first)
    #expect(depot.terms == FenceTerms(dwell: .seconds(300), once: true))
    #expect(
      depot.properties
        == ["description": .string("the <b>yard</b><br>opens at 7"), "owner": .string("Ann & Bo")])
    guard case .polygon(let polygon) = depot.area, case .circle(let circle) = file.fences[1].area,
      case .multiPolygon(let multi) = file.fences[2].area, case .corridor(let corridor) = file.fences[3].area
    else {
      Issue.record("other shapes: \(file.fences.map(\.area))")
      return
    }
    #expect(polygon.exterior.count == 4)
    #expect(polygon.holes.map(\.count) == [3])
    #expect(circle.radius == 25.5)
    #expect(multi.polygons.count == 2)
    #expect(corridor.width == 40)
  }

  /// The remedy of an empty list is to write `[]`, which is text in KML.
  @Test func textOfAnEmptyArrayIsAnEmptyArray() {
    func placemark(_ text: String) -> String {
      """
      <Placemark><ExtendedData><Data name="radius"><value>50</value></Data>
      <Data name="notify"><value>\(text)</value></Data><Data name="activeHours"><value>\(text)</value></Data>
      </ExtendedData><Point><coordinates>8,50</coordinates></Point></Placemark>
      """
    }
    let file = readFences(
      "<kml><Document>\(placemark("[]"))\(placemark("[ ]"))\(placemark(","))</Document></kml>")
    #expect(file.fences.map(\.terms.notify) == [[], []])
    #expect(file.fences.map(\.terms.activeHours) == [ActiveHours([]), ActiveHours([])])
    #expect(file.problems.map(\.feature) == [3])
    #expect(file.problems.first?.detail.contains("write [] for none") == true, "\(file.problems)")
  }

  @Test(arguments: [
    ("<Point><coordinates>1,2</coordinates></Point>", "without radius"),
    ("<Point><coordinates>1,2 3,4</coordinates></Point>", "not one position"),
    ("<Point><coordinates>1</coordinates></Point>", "not two or three numbers"),
    ("<Point><coordinates>a,b</coordinates></Point>", "no number"),
    ("<Point><coordinates>1,99</coordinates></Point>", "latitude is out of range"),
    ("<name>x</name>", "no geometry"), ("<gx:Track><when/></gx:Track>", "recorded track"),
    ("<LineString><coordinates>1,2 3,4</coordinates></LineString>", "without width"),
    ("<LinearRing><coordinates>0,0 1,0 1,1</coordinates></LinearRing>", "ring is open"),
    (
      "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>",
      "fewer than four"
    ), ("<Polygon></Polygon>", "without an outer boundary"),
    ("<MultiGeometry></MultiGeometry>", "empty"),
  ])
  func invalidPlacemarkIsRefusedAndOthersAreRead(geometry: String, reason: String) throws {
    let good =
      "<Placemark><LinearRing><coordinates>0,0 0.1,0 0,0.1 0,0</coordinates></LinearRing></Placemark>"
    let file = readFences(
      """
      <kml xmlns:gx="x"><Document>\(good)
      <Placemark id="bad">\(geometry)</Placemark>\(good)</Document></kml>
      """)
    #expect(file.fences.map(\.id.name) == ["fence-1", "fence-3"])
    #expect(file.problems.count == 1)
    let problem = try #require(file.problems.first)
    #expect(problem.line == 2)
    #expect(problem.feature == 2)
    #expect(problem.id == "bad")
    #expect(problem.detail.contains(reason), "\(problem.detail)")
  }

  @Test func malformedXMLEndsTheDocumentAndEarlierFencesAreRetained() {
    let text = Self.map.replacing("<Placemark id=\"gate\">", with: "<Placemark id=\"gate\"></oops>")
    let file = readFences(text)
    #expect(file.fences.map(\.id.name) == ["Depot"])
    #expect(file.problems.map(\.kind) == [.malformed])
    let cut = readFences(String(Self.map.split(separator: "<Placemark id", maxSplits: 1)[0]))
    #expect(cut.fences.map(\.id.name) == ["Depot"])
    #expect(cut.problems.map(\.kind) == [.truncated])
  }

  @Test func entitiesAndLinksAreNotFollowed() {
    let bomb = "<!DOCTYPE kml [<!ENTITY a \"b\">]><kml><Document/></kml>"
    #expect(readFences(bomb).problems.count == 1)
    let link = "<kml><Document><NetworkLink><Link><href>http://x</href></Link></NetworkLink></Document></kml>"
    #expect(readFences(link).problems.map(\.kind) == [.notFences])
  }
}

@Suite struct GPXFenceTests {
  static let places = """
    <?xml version="1.0"?>
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="52.5" lon="13.4"><name>Home</name><desc>sweet</desc><sym>House</sym></wpt>
    <wpt lat="52.6" lon="13.5"><name>Work</name><extensions><gpxx:WaypointExtension xmlns:gpxx="g">
    <gpxx:Proximity>75</gpxx:Proximity></gpxx:WaypointExtension></extensions></wpt>
    <rte><name>Way</name><rtept lat="0" lon="0"/><rtept lat="0.1" lon="0.1"/></rte>
    <trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>
    </gpx>
    """

  @Test func waypointsAreCirclesWithTheirOwnOrTheDefaultRadius() {
    let file = readFences(Self.places, by: FenceReader(defaultRadius: 100, defaultWidth: 30))
    #expect(file.format == .gpx)
    #expect(file.problems.isEmpty, "\(file.problems)")
    #expect(file.fences.map(\.id.name) == ["Home", "Work", "Way"])
    let radii = file.fences.compactMap {
      if case .circle(let circle) = $0.area { circle.radius } else { nil }
    }
    #expect(radii == [100, 75])
    #expect(file.fences.first?.properties == ["description": .string("sweet"), "sym": .string("House")])
  }

  @Test func waypointWithoutRadiusIsRefused() {
    let file = readFences(Self.places)
    #expect(file.fences.map(\.id.name) == ["Work"])
    #expect(file.problems.map(\.line) == [3, 6])
    #expect(file.problems.map(\.feature) == [1, 3])
  }

  @Test func waypointWithoutPlaceIsRefused() {
    let file = readFences(
      "<gpx><wpt lat='91' lon='0'/><wpt lon='0'/></gpx>", by: FenceReader(defaultRadius: 5))
    #expect(file.fences.isEmpty)
    #expect(file.problems.map(\.kind) == [.badCoordinate, .badCoordinate])
  }
}
