/// A part of the Earth's surface: what a fence runs around.
///
/// A value of this type is always a real area: what makes none was refused when it was made. Edges are geodesics, the
/// shortest ways between their ends, so an area is the same at any latitude, across 180° and around a pole.
public enum Area: Hashable, Sendable {
  /// Every place within a distance of another.
  case circle(Circle)
  /// What a ring encloses, without its holes.
  case polygon(Polygon)
  /// Several polygons that are one area.
  case multiPolygon(MultiPolygon)
  /// Every place within half a width of a line.
  case corridor(Corridor)
}
