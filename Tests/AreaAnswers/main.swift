// The distances of places from the boundaries of areas, for Scripts/compare-areas.
//
// Reads lines of three fields between tabs: circle RADIUS, corridor WIDTH or polygon; corners; places. Corners and places are "latitude
// longitude" between commas, rings are between semicolons and polygons between slashes. Writes a line for each, metres and error
// bound of every place, or the error of the area.

import WhereaboutsGeodesy

struct UnreadableInputError: Error {}

func places(_ text: Substring) throws -> [Coordinate] {
  try text.split(separator: ",").map { pair in
    let numbers = pair.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2, let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
    else { throw UnreadableInputError() }
    return place
  }
}

func polygons(_ text: Substring) throws -> [Area.Polygon] {
  try text.split(separator: "/").map { polygon in
    let rings = try polygon.split(separator: ";").map(places)
    guard let exterior = rings.first else { throw UnreadableInputError() }
    return try Area.Polygon(exterior: exterior, holes: Array(rings.dropFirst()))
  }
}

func area(_ kind: Substring, _ corners: Substring) throws -> Area {
  let words = kind.split(separator: " ")
  let metres = words.count > 1 ? Double(words[1]) ?? .nan : .nan
  switch words.first {
  case "circle":
    guard let center = try places(corners).first else { throw UnreadableInputError() }
    return .circle(try Area.Circle(center: center, radius: metres))
  case "corridor": return .corridor(try Area.Corridor(line: try places(corners), width: metres))
  case "polygon":
    let polygons = try polygons(corners)
    return polygons.count == 1 ? .polygon(polygons[0]) : .multiPolygon(try Area.MultiPolygon(polygons))
  default: throw UnreadableInputError()
  }
}

while let line = readLine() {
  let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
  do {
    guard fields.count == 3 else { throw UnreadableInputError() }
    let area = PreparedArea(try area(fields[0], fields[1]))
    let answers = try places(fields[2]).map { place in
      let distance = area.signedDistance(to: place)
      // Containment must agree with the sign of the distance.
      let agrees = area.contains(place) == distance.isInside
      return "\(distance.metres) \(agrees ? distance.errorBound : -1)"
    }
    print(answers.joined(separator: " "))
  } catch {
    print("problem \(error)")
  }
}
