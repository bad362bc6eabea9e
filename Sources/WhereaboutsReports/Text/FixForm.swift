import WhereaboutsFormats
package import WhereaboutsModel

/// The form in which a fix is written on its own line.
package enum FixForm: Hashable, Sendable {
  /// Text with aligned columns.
  case text
  /// The documented JSON form.
  case json
  /// The text of a template.
  case template(FixTemplate)

  /// Appends a fix and a line end.
  package func append(_ fix: Fix, to bytes: inout [UInt8]) {
    switch self {
    case .text: bytes.appendText(FixText.line(fix))
    case .json: bytes.appendJSON(fix)
    case .template(let template): template.render(fix, into: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
