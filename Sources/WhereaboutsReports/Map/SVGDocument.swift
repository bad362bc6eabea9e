/// An SVG document that is built piece by piece.
struct SVGDocument {
  private(set) var bytes: [UInt8] = []

  /// Begins a document of the given size.
  init(width: Double, height: Double, title: String) {
    bytes.appendText(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.fixed(0)) \(height.fixed(0))" \
      width="\(width.fixed(0))" height="\(height.fixed(0))" role="img" \
      font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
      <title>\(Self.escaped(title))</title>

      """)
  }

  /// Appends markup without escaping.
  mutating func raw(_ markup: String) {
    bytes.appendText(markup)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a group with the content of the closure.
  mutating func group(_ attributes: String, _ content: (inout SVGDocument) -> Void) {
    raw("<g \(attributes)>")
    content(&self)
    raw("</g>")
  }

  /// Appends a line of text.
  mutating func text(_ text: String, at point: PlanePoint, size: Double, _ attributes: String = "") {
    let place = "x=\"\(point.x.fixed(1))\" y=\"\(point.y.fixed(1))\" font-size=\"\(size.fixed(1))\""
    raw("<text \(place) \(attributes)>\(Self.escaped(text))</text>")
  }

  mutating func circle(at point: PlanePoint, radius: Double, _ attributes: String) {
    raw(
      "<circle cx=\"\(point.x.fixed(1))\" cy=\"\(point.y.fixed(1))\" r=\"\(radius.fixed(1))\" \(attributes)/>"
    )
  }

  /// Appends lines as one path.
  mutating func path(_ lines: [[PlanePoint]], _ attributes: String) {
    guard lines.contains(where: { !$0.isEmpty }) else { return }
    bytes.appendText("<path d=\"")
    for line in lines { append(line) }
    bytes.appendText("\" \(attributes)/>\n")
  }

  /// Ends the document.
  mutating func finish() {
    raw("</svg>")
  }

  /// Appends a line in whole tenths of the unit. Each point is relative to the previous point, so rounding errors do
  /// not accumulate.
  private mutating func append(_ line: [PlanePoint]) {
    guard let first = line.first else { return }
    var (x, y) = (Self.tenths(first.x), Self.tenths(first.y))
    bytes.appendText("M\(Self.text(x)) \(Self.text(y))")
    // A line without length is drawn as a dot by its round caps.
    if line.count == 1 { bytes.appendText("h0") }
    for point in line.dropFirst() {
      let (nextX, nextY) = (Self.tenths(point.x), Self.tenths(point.y))
      bytes.appendText("l\(Self.text(nextX - x)) \(Self.text(nextY - y))")
      (x, y) = (nextX, nextY)
    }
  }

  private static func tenths(_ value: Double) -> Int {
    Int((min(max(value, -1e7), 1e7) * 10).rounded())
  }

  private static func text(_ tenths: Int) -> String {
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let sign = tenths < 0 ? "-" : ""
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  /// Returns text escaped for XML, without characters that XML cannot hold.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += " "
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
