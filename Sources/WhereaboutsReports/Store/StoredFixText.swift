package import WhereaboutsModel
import WhereaboutsFormats

/// A stored fix as a line, with the use of the fix if unused fixes are listed too.
package struct StoredFixText {
  let form: FixForm
  /// Whether unused fixes are listed too.
  let showsUse: Bool

  package init(form: FixForm, showsUse: Bool) {
    self.form = form
    self.showsUse = showsUse
  }

  /// Appends a line.
  package func append(_ seen: LoggedFix, to bytes: inout [UInt8]) {
    switch form {
    case .template: form.append(seen.fix, to: &bytes)
    case .json: appendJSON(seen, to: &bytes)
    case .text: bytes.appendText("\(line(seen))\n")
    }
  }

  private func line(_ seen: LoggedFix) -> String {
    let day = (seen.fix.time ?? seen.seen)?.dateText ?? "no day    "
    let zone = seen.fix.time == nil ? "" : " UTC"
    let use = showsUse ? seen.use == .used ? "            " : "\(seen.use.rawValue.padded(to: 12))" : ""
    return "\(use)\(day) \(FixText.line(seen.fix, zone: zone))"
  }

  /// Appends the documented JSON form of a fix. With unused fixes, `use` is `used`, `late` or `implausible`.
  private func appendJSON(_ seen: LoggedFix, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMembers(of: seen.fix, .plain)
      if showsUse { $0.appendJSONMember("use", seen.use.rawValue) }
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
