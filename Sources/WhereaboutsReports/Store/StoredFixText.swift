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
  package func append(_ logged: LoggedFix, to bytes: inout [UInt8]) {
    switch form {
    case .template: form.append(logged.fix, to: &bytes)
    case .json: appendJSON(logged, to: &bytes)
    case .text: bytes.appendText("\(line(logged))\n")
    }
  }

  private func line(_ logged: LoggedFix) -> String {
    let day = (logged.fix.time ?? logged.seen)?.dateText ?? "no day    "
    let zone = logged.fix.time == nil ? "" : " UTC"
    let use = showsUse ? logged.use == .used ? "            " : "\(logged.use.rawValue.padded(to: 12))" : ""
    return "\(use)\(day) \(FixText.line(logged.fix, zone: zone))"
  }

  /// Appends the documented JSON form of a fix. With unused fixes, `use` is `used`, `late` or `implausible`.
  private func appendJSON(_ logged: LoggedFix, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMembers(of: logged.fix, .plain)
      if showsUse { $0.appendJSONMember("use", logged.use.rawValue) }
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
