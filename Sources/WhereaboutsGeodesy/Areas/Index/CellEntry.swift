/// What a cell knows of an area: enough to tell, for most places in the cell, whether they are inside.
///
/// In steps of the cell's level: a center, within `inner` of which is all inside, and beyond `outer` of which is
/// all outside. What is between is for the area itself to tell.
struct CellEntry {
  /// The center: x in the low half, y in the high one, from `margin` steps before the cell's southwestern corner.
  var center: UInt32
  /// `inner` in the low half, `outer` in the high one; `inner` is never greater.
  var radii: UInt32
  var key: UInt32

  init(center: UInt32, radii: UInt32, key: UInt32) {
    self.center = center
    self.radii = radii
    self.key = key
  }

  /// How far a center can lie before a cell, in steps; as far behind it.
  static var margin: Int { 28672 }
  /// The half-word for a radius within which is everything.
  static var everywhere: UInt32 { 0xFFFF }
  /// The radii of an area that has to be asked for each place.
  static var undecided: UInt32 { 0xFFFF_0000 }
}
