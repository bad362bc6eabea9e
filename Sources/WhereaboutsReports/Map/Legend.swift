/// The legend of a picture below its panel, in as many rows as needed.
struct Legend {
  /// The mark before a label.
  enum Mark {
    case line, box, dot, down, up
  }

  private struct Entry {
    var label: String
    var mark: Mark
    var attributes: String

    var width: Double { 49 + LabelPlacer.width(of: label, size: MapStyle.labelSize) }
  }

  private static let rowHeight = 24.0
  private var rows: [[Entry]] = []

  /// The height, in pixels.
  var height: Double { Double(rows.count) * Self.rowHeight }

  /// Adds an entry at the end.
  ///
  /// - Parameter attributes: the SVG attributes of the mark.
  mutating func add(_ label: String, _ mark: Mark, _ attributes: String) {
    let entry = Entry(label: label, mark: mark, attributes: attributes)
    let width = (rows.last ?? []).map(\.width).reduce(0, +) + entry.width
    if rows.isEmpty || width > MapStyle.panelWidth { rows.append([]) }
    rows[rows.count - 1].append(entry)
  }

  /// Adds the entry for stops.
  mutating func addStops() { add("stop", .dot, "fill=\"\(MapStyle.stop)\"") }

  /// Draws the legend below a line.
  func draw(below top: Double, in document: inout SVGDocument) {
    for (index, row) in rows.enumerated() {
      var x = MapStyle.margin
      let y = top + (Double(index) + 0.5) * Self.rowHeight
      for entry in row {
        draw(entry, at: PlanePoint(x: x, y: y), in: &document)
        x += entry.width
      }
    }
  }

  private func draw(_ entry: Entry, at place: PlanePoint, in document: inout SVGDocument) {
    let (x, y) = (place.x, place.y)
    switch entry.mark {
    case .line:
      document.path(
        [[PlanePoint(x: x + 4, y: y), PlanePoint(x: x + 24, y: y)]], "fill=\"none\" \(entry.attributes)")
    case .box:
      document.raw(
        "<rect x=\"\((x + 4).fixed(1))\" y=\"\((y - 6).fixed(1))\" width=\"20\" height=\"12\" \(entry.attributes)/>"
      )
    case .dot:
      document.circle(at: PlanePoint(x: x + 14, y: y), radius: 5, entry.attributes)
    case .down:
      document.raw("<path d=\"M\((x + 8).fixed(1)) \((y - 5).fixed(1))l12 0l-6 10z\" \(entry.attributes)/>")
    case .up:
      document.raw("<path d=\"M\((x + 8).fixed(1)) \((y + 5).fixed(1))l12 0l-6 -10z\" \(entry.attributes)/>")
    }
    document.text(
      entry.label, at: PlanePoint(x: x + 33, y: y + 4.5), size: MapStyle.labelSize,
      "fill=\"\(MapStyle.faintInk)\"")
  }
}
