import WhereaboutsModel

/// A straight line of a map across a gap between fixes.
struct MapGap {
  /// The treatment of the gap in the distance.
  enum Kind: Hashable, CaseIterable {
    /// The track was not measured.
    case plain
    /// A length was counted for the gap.
    case bridged
    /// No length was counted for the gap.
    case uncounted
  }

  var line: [PlanePoint]
  var kind = Kind.plain
  /// The length and the counted distance of the gap as text.
  var label: String?
}

extension MapGap {
  /// The length of the shortest line with a label, in pixels.
  private static let shortestLabelled = 12.0

  /// Creates the line of a gap.
  ///
  /// - Parameters:
  ///   - metres: the length of the straight line, in metres.
  ///   - gap: the bridged gap; `nil` for an interruption of the recording.
  init(_ line: [PlanePoint], metres: Double, bridgedBy gap: TrackPoint.Gap?) {
    self.line = line
    if let gap, gap.counted > 0 {
      (kind, label) = (.bridged, "\(Quantities.length(gap.counted)) bridged")
    } else {
      (kind, label) = (.uncounted, "\(Quantities.length(gap?.geodesic ?? metres)) not counted")
    }
    if length < Self.shortestLabelled { label = nil }
  }

  /// The length of the line, in pixels.
  var length: Double {
    guard let first = line.first, let last = line.last else { return 0 }
    return first.distance(to: last)
  }

  /// The middle of the line.
  var middle: PlanePoint? {
    guard let first = line.first, let last = line.last else { return nil }
    return PlanePoint(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
  }
}

extension MapGap.Kind {
  var attributes: String {
    switch self {
    case .plain: "stroke=\"\(MapStyle.faintInk)\" stroke-width=\"1.6\" stroke-dasharray=\"5 5\""
    case .bridged: "stroke=\"\(MapStyle.ink)\" stroke-width=\"1.8\" stroke-dasharray=\"7 4\""
    case .uncounted: "stroke=\"\(MapStyle.stop)\" stroke-width=\"1.6\" stroke-dasharray=\"2 5\""
    }
  }

  var legend: String {
    switch self {
    case .plain: "no fix"
    case .bridged: "gap, bridged"
    case .uncounted: "gap, not counted"
    }
  }
}
