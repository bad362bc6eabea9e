import WhereaboutsGeodesy

/// A function over all pairs, kept out of line so that instructions inside it can be counted by its name.
struct Function: Sendable {
  let name: String
  let run: @Sendable ([(Coordinate, Coordinate)]) -> Double

  static let all = [
    Function(name: "distance", run: sumOfDistances),
    Function(name: "inverse", run: sumOfInverses),
    Function(name: "destination", run: sumOfDestinations),
  ]
}

@inline(never)
func sumOfDistances(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  var sum = 0.0
  for (start, end) in pairs { sum += start.distance(to: end) }
  return sum
}

@inline(never)
func sumOfInverses(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  var sum = 0.0
  for (start, end) in pairs {
    let path = Geodesic(from: start, to: end)
    sum += path.distance + (path.initialAzimuth ?? 0) + (path.finalAzimuth ?? 0)
  }
  return sum
}

@inline(never)
func sumOfDestinations(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  var sum = 0.0
  for (start, end) in pairs {
    guard let place = start.destination(azimuth: end.longitude, distance: 500) else { continue }
    sum += place.latitude + place.longitude
  }
  return sum
}
