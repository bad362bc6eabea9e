import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsReports

/// A diagnosis as text.
public struct DiagnosisText: Sendable {
  let diagnosis: Diagnosis
  /// The maximum width of a line, in characters.
  let columns: Int

  /// Creates the text of a diagnosis.
  ///
  /// - Parameters:
  ///   - diagnosis: the diagnosis.
  ///   - columns: the maximum width of a line, in characters. Longer words and commands stay whole.
  public init(diagnosis: Diagnosis, columns: Int = 100) {
    self.diagnosis = diagnosis
    self.columns = columns
  }

  /// The lines of the text: a paragraph for each finding, then the verdict and the next step.
  public var lines: [String] {
    var lines: [String] = []
    for source in diagnosis.sources { lines += paragraph(source) }
    for finding in diagnosis.machine { lines += paragraph(finding) }
    lines.append("")
    lines.append(summary)
    if let next = diagnosis.nextStep { lines += wrapped("Next: \(next)", indent: 0) }
    return lines
  }

  private var summary: String {
    switch diagnosis.verdict {
    case .delivers:
      let names = diagnosis.sources.filter { $0.state == .delivers }.map(\.name)
      return "There are fixes from \(names.joined(separator: ", "))."
    case .noFix: return "There is a source that works, and no fix yet."
    case .notPermitted: return "There is a source, and this program may not use it."
    case .inUse: return "There is a source, and another program uses it."
    case .silent: return "There is a source, and nothing comes from it."
    case .nothing: return "There is no source that works."
    case .absent: return "There is no source here."
    }
  }

  // MARK: - Sources

  private func paragraph(_ source: SourceFinding) -> [String] {
    var lines = ["\(Self.mark(source.state)) \(source.name) \(Self.headline(source))"]
    for fact in source.facts { lines += wrapped(fact) }
    if let satellites = source.satellites { lines += wrapped(Self.text(satellites)) }
    if source.hasHeading { lines += wrapped("reports headings") }
    if let position = source.delivery?.position {
      lines += wrapped("at \(position.latitude.fixed(6)), \(position.longitude.fixed(6))")
    }
    if let problem = source.problem { lines += wrapped("could not \(problem.message)") }
    if let remedy = source.remedy { lines += wrapped("-> \(remedy)") }
    return lines
  }

  static func mark(_ state: SourceFinding.State) -> String {
    switch state {
    case .delivers: "✓"
    case .noFix, .silent, .inUse, .notUnderstood: "!"
    case .denied, .unusable, .absent: "✗"
    }
  }

  private static func headline(_ source: SourceFinding) -> String {
    switch source.state {
    case .delivers:
      guard let delivery = source.delivery else { return "delivers fixes" }
      var text = "delivers fixes"
      switch delivery.mode {
      case .twoD?: text += ", without height"
      case .threeD?: text += ", with height"
      case nil: break
      }
      if let accuracy = delivery.accuracy {
        text += ", to \(Quantities.accuracy(accuracy))\(delivery.isAccuracyEstimated ? " (estimated)" : "")"
      } else {
        text += ", of unknown accuracy"
      }
      return "\(text), the first after \(Quantities.duration(delivery.timeToFirstFix.inSeconds))"
    case .noFix: return "works, and has no fix"
    case .denied: return "may not be used by this program"
    case .inUse: return "is in use by another program"
    case .notUnderstood: return "sends what can't be read"
    case .unusable: return "can't be used"
    case .silent: return "is silent"
    case .absent where source.problem?.code == .noReceiver && source.name.hasPrefix("gpsd"):
      return "has no receiver"
    case .absent where source.name == SourceFinding.serverName: return "has no receiver"
    case .absent where source.name.hasPrefix("gpsd"): return "does not answer"
    case .absent: return "was not found"
    }
  }

  private static func text(_ satellites: SourceFinding.Satellites) -> String {
    var text = "satellites: \(satellites.seen) in view, \(satellites.used) used"
    if let strongest = satellites.strongest { text += ", the strongest at \(strongest.fixed(0)) dB-Hz" }
    return text
  }

  // MARK: - The machine

  private func paragraph(_ finding: MachineFinding) -> [String] {
    let mark =
      switch finding.state {
      case .good: "✓"
      case .odd: "!"
      case .bad: "✗"
      }
    var lines = wrapped("\(mark) \(finding.name): \(finding.text)", indent: 0)
    if let remedy = finding.remedy { lines += wrapped("-> \(remedy)") }
    return lines
  }

  /// Returns text in lines of at most the given width. Longer words and commands stay whole.
  private func wrapped(_ text: String, indent: Int = 4) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in Self.words(text) {
      if !line.isEmpty, indent + line.count + 1 + word.count > columns {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return lines + [margin + line]
  }

  /// Returns the words of a text. Text between two backquotes is one word.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var isQuoted = false
    for word in text.split(separator: " ") {
      if isQuoted, let last = words.popLast() {
        words.append("\(last) \(word)")
      } else {
        words.append(String(word))
      }
      if word.count(where: { $0 == "`" }) % 2 == 1 { isQuoted.toggle() }
    }
    return words
  }
}
