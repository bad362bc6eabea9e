import Whereabouts
package import WhereaboutsModel

/// The health of sources as text.
package enum SourceText {
  /// Returns `gpsd: could not reach gpsd at localhost:2947: connection refused. Run …`.
  package static func reason(_ source: SourceHealth) -> String {
    if let problem = source.problem {
      return "\(source.name): could not \(problem.message)\(problem.remedy.map { ". \($0)" } ?? "")"
    }
    return switch source.state {
    case .off: "\(source.name): was not asked"
    // The location service sends nothing before its first position.
    case .connecting where source.name == "geoclue": "geoclue: no position came"
    case .connecting: "\(source.name): nothing readable came"
    case .noFix: "\(source.name): works, and has no position yet"
    case .ok: "\(source.name): delivers fixes"
    case .stale, .failed: "\(source.name): \(source.state.rawValue)"
    }
  }

  /// Returns the reasons of several sources, a line for each. Inactive sources are omitted.
  package static func reasons(_ sources: [SourceHealth]) -> [String] {
    sources.filter { $0.state != .off }.map { "  \(reason($0))" }
  }

  /// Returns `gpsd used`, `nmea:/dev/ttyACM0 failed (could not open /dev/ttyACM0)`.
  static func short(_ source: SourceHealth) -> String {
    var text = source.name
    if let problem = source.problem {
      text += " \(source.state.rawValue) (could not \(problem.message))"
    } else {
      text += source.isUsed ? " used" : " \(source.state.rawValue)"
    }
    if source.restarts > 0 {
      text += ", stopped and started \(Quantities.count(source.restarts, "time", "times"))"
    }
    if let contradiction = source.contradiction {
      text += ", \(Quantities.length(contradiction.distance)) from where \(contradiction.other) is"
    }
    return text
  }
}
