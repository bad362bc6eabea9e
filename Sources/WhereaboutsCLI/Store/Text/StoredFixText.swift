import WhereaboutsCore
import WhereaboutsFormats

/// A fix of a history as a line, with what was made of it where all are shown.
struct StoredFixText {
  let output: FixOutputOptions
  /// Whether those are shown too that were not used.
  let showsUse: Bool

  /// Appends a line.
  func append(_ seen: SeenFix, to file: OutputFile) {
    if output.format != nil {
      output.write(seen.fix, to: file)
    } else if output.json {
      appendJSON(seen, to: &file.bytes)
    } else {
      file.bytes.appendText("\(line(seen))\n")
    }
  }

  private func line(_ seen: SeenFix) -> String {
    let day = (seen.fix.time ?? seen.seen)?.dateText ?? "no day    "
    let zone = seen.fix.time == nil ? "" : " UTC"
    let use = showsUse ? seen.use == .used ? "            " : "\(seen.use.rawValue.padded(to: 12))" : ""
    return "\(use)\(day) \(FixText.line(seen.fix, zone: zone))"
  }

  /// The documented form of a fix; where all are shown with `use`: `used`, `late` or `implausible`.
  private func appendJSON(_ seen: SeenFix, to bytes: inout [UInt8]) {
    bytes.appendJSON(seen.fix)
    if showsUse {
      bytes.removeLast()
      bytes.appendText(",\"use\":\"\(seen.use.rawValue)\"}")
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
