/// A part of the Earth's surface, such as the area of a fence.
///
/// A value is always a valid area: initializers refuse invalid input. Edges are geodesics, the shortest paths between
/// their ends. An area is therefore the same at any latitude, across 180° and around a pole.
public enum Area: Hashable, Sendable {
  /// The area within a distance of a place.
  case circle(Circle)
  /// The area enclosed by a ring, without its holes.
  case polygon(Polygon)
  /// Several polygons that form one area.
  case multiPolygon(MultiPolygon)
  /// The area within half a width of a line.
  case corridor(Corridor)
}
