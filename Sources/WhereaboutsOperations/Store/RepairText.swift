import Whereabouts
package import WhereaboutsModel
package import WhereaboutsReports
package import WhereaboutsStore

/// Findings and repairs as text and JSON.
package enum RepairText {
  /// Returns the lines of a finding: the identifier with kind, count and span, the evidence, the choices.
  package static func lines(_ finding: PastFinding) -> [String] {
    let days = [finding.first.dateText, finding.last.dateText]
    let span = days[0] == days[1] ? days[0] : days.joined(separator: " – ")
    return [
      "\(finding.id)  \(finding.kind.title): \(Quantities.count(finding.count, "fix", "fixes")), \(span)",
      "  \(finding.evidence)",
      "  choices: \(finding.choices.map(\.rawValue).joined(separator: ", "))",
    ]
  }

  /// Returns the line of a repair.
  package static func line(_ repair: AppliedRepair) -> String {
    "repair \(repair.number)  \(repair.kind), \(repair.choice): \(Quantities.count(repair.count, "fix", "fixes")), \(repair.applied.dateText)"
  }

  package static func json(_ finding: PastFinding) -> JSONObject {
    var object = JSONObject()
    object.add("finding", finding.id as String?)
    object.add("kind", finding.kind.rawValue as String?)
    object.add("first", finding.first.iso8601 as String?)
    object.add("last", finding.last.iso8601 as String?)
    object.add("count", finding.count)
    object.add("evidence", finding.evidence as String?)
    object.add("choices", finding.choices.map(\.rawValue))
    return object
  }

  package static func json(_ repair: AppliedRepair) -> JSONObject {
    var object = JSONObject()
    object.add("repair", repair.number)
    object.add("kind", repair.kind as String?)
    object.add("choice", repair.choice as String?)
    object.add("count", repair.count)
    object.add("applied", repair.applied.iso8601 as String?)
    return object
  }

  /// Reports the problems of the past of devices on standard error, after an import.
  package static func reportFindings(of devices: [DeviceID], in store: OpenStore) {
    for device in devices {
      // The import has succeeded, even if the check fails.
      guard let findings = try? store.findings(of: device), !findings.isEmpty else {
        continue
      }
      let name = device.rawValue.sanitizedToOneLine
      for finding in findings {
        StandardError.print(
          "\(name): \(finding.kind.title), \(Quantities.count(finding.count, "fix", "fixes"))")
      }
      StandardError.print(
        """
        these fixes are stored as imported. Run `whereabouts repair --device \(name)` for the evidence and \
        the choices.
        """)
    }
  }
}
