import RealModule

/// An area prepared for many queries.
///
/// Queries do not allocate. A circle uses a chord; an area up to some tens of kilometres across uses lines in its own
/// plane. A larger area uses arcs on a sphere, and the geodesics that can be nearest.
public struct PreparedArea: Sendable {
  enum Form: Sendable {
    case circle(center: PreparedPlace, radius: Double)
    case plane(PlaneBoundary)
    case globe(GlobeBoundary)
  }

  /// The area.
  public let area: Area
  /// A place from which all of the area is within ``reach``.
  package let center: PreparedPlace
  /// The radius in metres around ``center`` that holds all of the area; infinite if the area may extend to all sides
  /// of the Earth.
  package let reach: Double
  let form: Form
  /// Half the width of a corridor, in metres; `nil` for a boundary with an inside.
  let halfWidth: Double?

  /// Prepares an area.
  ///
  /// - Complexity: O(n) for n corners, and for each 4 km of an edge of a large area.
  public init(_ area: Area) {
    self.area = area
    switch area {
    case .circle(let circle):
      center = PreparedPlace(circle.center)
      reach = circle.radius
      halfWidth = nil
      form = .circle(center: center, radius: circle.radius)
      return
    case .polygon, .multiPolygon: halfWidth = nil
    case .corridor(let corridor): halfWidth = corridor.width / 2
    }
    let boundary = area.boundary
    center = boundary.center
    if let plane = PlaneBoundary(boundary.lines, around: center) {
      form = .plane(plane)
      reach = plane.reach + (halfWidth ?? 0)
    } else {
      let globe = GlobeBoundary(boundary.lines, isFilled: halfWidth == nil)
      form = .globe(globe)
      reach = globe.reach(from: center) + (halfWidth ?? 0)
    }
  }

  /// Returns the distance from a place to the boundary, negative inside.
  ///
  /// - Units: metres.
  /// - Accuracy: ``SignedDistance/errorBound`` of the result. Circles: nanometres nearby, below 1 mm anywhere. Areas
  ///   within 60 km of their middle: 1 µm at 10 km, below 1 mm up to 100 km. Larger areas: distances within 50 nm,
  ///   sides within 2.2 mm, less if all edges are shorter than 4 km. Corridors: 50 nm.
  /// - Complexity: O(log n) for n corners of rings that do not wind much; O(n) for a place about equally far from all
  ///   of a large area's boundary.
  public func signedDistance(to place: Coordinate) -> SignedDistance {
    signedDistance(to: PreparedPlace(place))
  }

  /// Returns the distance from a place to the boundary, negative inside.
  public func signedDistance(to place: PreparedPlace) -> SignedDistance {
    switch form {
    case .circle(let center, let radius):
      let (metres, error) = center.distance(to: place)
      return SignedDistance(metres: metres - radius, errorBound: error)
    case .plane(let plane):
      guard let p = plane.frame.point(of: place) else { return farDistance(to: place) }
      let distance = plane.distance(to: p)
      let error = plane.errorBound(from: p, over: distance)
      if let halfWidth { return SignedDistance(metres: distance - halfWidth, errorBound: error) }
      return SignedDistance(metres: plane.encloses(p) ? -distance : distance, errorBound: error)
    case .globe(let globe): return globe.signedDistance(to: place, halfWidth: halfWidth)
    }
  }

  /// Returns whether a place is in the area or on its boundary, within numerical accuracy.
  @inlinable
  public func contains(_ place: Coordinate) -> Bool { contains(PreparedPlace(place)) }

  /// Returns whether a place is in the area or on its boundary, within numerical accuracy.
  public func contains(_ place: PreparedPlace) -> Bool {
    guard halfWidth == nil else { return signedDistance(to: place).isInside }
    switch form {
    case .circle: return signedDistance(to: place).isInside
    case .plane(let plane):
      guard let p = plane.frame.point(of: place) else { return false }
      return plane.encloses(p)
    case .globe(let globe): return globe.encloses(place)
    }
  }

  /// Returns the distance for a place outside the plane, computed on the globe.
  private func farDistance(to place: PreparedPlace) -> SignedDistance {
    let globe = GlobeBoundary(area.boundary.lines, isFilled: false)
    return globe.signedDistance(to: place, halfWidth: halfWidth ?? 0)
  }
}
