import Whereabouts
import WhereaboutsCore

/// How a source is doing, in words.
enum SourceText {
  /// `gpsd used`, `nmea:/dev/ttyACM0 failed (could not open /dev/ttyACM0)`
  static func short(_ source: SourceHealth) -> String {
    var text = source.name
    if let trouble = source.trouble {
      text += " \(source.state.rawValue) (could not \(trouble.message))"
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
