import WhereaboutsModel
import WhereaboutsFormats

/// A stored fix as a line, with the use of the fix if unused fixes are listed too.
struct StoredFixText {
  let output: FixOutputOptions
  /// Whether unused fixes are listed too.
  let showsUse: Bool

  /// Appends a line.
  func append(_ seen: LoggedFix, to file: OutputFile) {
    if output.format != nil {
      output.write(seen.fix, to: file)
    } else if output.json {
      appendJSON(seen, to: &file.bytes)
    } else {
      file.bytes.appendText("\(line(seen))\n")
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
