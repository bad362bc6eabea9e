import WhereaboutsModel
public import WhereaboutsFormats

/// Traps unless every element keeps what its type promises: numbers are finite and in their ranges.
public func expectValidElements(_ elements: [RecordingElement]) {
  for element in elements where !element.isConsistent { fatalError("out of range: \(element)") }
}

extension RecordingElement {
  fileprivate var isConsistent: Bool {
    switch self {
    case .fix(let fix): fix.isConsistent
    case .heading(let heading): (0..<360).contains(heading.degrees)
    case .satellites(let sky): sky.satellites.allSatisfy(\.isConsistent)
    case .waypoint(let place), .routePoint(let place): (place.heightAboveGeoid ?? 0).isFinite
    case .visit(let visit): (0...1).contains(visit.probability ?? 0)
    case .offset(let minutes, _): minutes.magnitude <= 840 && minutes % 15 == 0
    case .trackBegan, .segmentBegan, .routeBegan, .deviceBegan: true
    }
  }
}

extension Fix {
  fileprivate var isConsistent: Bool {
    let finite = [heightAboveGeoid, heightAboveEllipsoid, climb]
    let notNegative = [horizontalAccuracy, verticalAccuracy, speed, speedAccuracy, courseAccuracy]
    let dilutions = [horizontalDilution, verticalDilution, positionDilution]
    return finite.allSatisfy { ($0 ?? 0).isFinite }
      && notNegative.allSatisfy { $0 ?? 0 >= 0 && $0 != .infinity }
      && dilutions.allSatisfy { $0 ?? 0 >= 0 && $0 != .infinity }
      && (0..<360).contains(course ?? 0)
  }
}

extension SatellitesInView.Satellite {
  fileprivate var isConsistent: Bool {
    (-90...90).contains(elevation ?? 0) && (0..<360).contains(azimuth ?? 0)
      && signal ?? 1 > 0 && signal != .infinity
  }
}
