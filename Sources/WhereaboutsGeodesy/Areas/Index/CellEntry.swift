/// A cell's entry for an area, which decides for most places in the cell whether they are inside.
///
/// In steps of the cell's level: within `inner` of the center all places are inside, beyond `outer` all are outside.
/// In between, the area itself decides.
struct CellEntry {
  /// The center: x in the low half, y in the high one, from `margin` steps before the cell's southwestern corner.
  var center: UInt32
  /// The radii: `inner` in the low half, `outer` in the high one; `inner` is never greater.
  var radii: UInt32
  var key: UInt32

  init(center: UInt32, radii: UInt32, key: UInt32) {
    self.center = center
    self.radii = radii
    self.key = key
  }

  /// The greatest distance of a center before a cell, in steps, and equally behind the cell.
  static var margin: Int { 28672 }
  /// The radii of an area that must be queried for each place.
  static var undecided: UInt32 { 0xFFFF_0000 }
}
