import Foundation
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// The words of a notification.
struct NotificationText {
  /// The names that may stand in braces in the arguments of a command.
  static let placeholders = ["alert", "device", "event", "fence", "id", "name", "text", "time", "type"]

  /// The zone of the times.
  let timeZone: TimeZone

  /// Returns the first name in braces that means nothing; `nil` if there is none.
  static func unknownPlaceholder(in text: String) -> String? {
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: "}") else { return nil }
      let name = rest[..<close]
      let isName = !name.isEmpty && name.allSatisfy { $0.isLetter && $0.isASCII }
      if isName, !placeholders.contains(String(name)) { return String(name) }
      rest = rest[rest.index(after: close)...]
    }
    return nil
  }

  /// Returns a text with the values in the places of their names.
  static func replacing(_ text: String, _ values: [String: String]) -> String {
    var result = "", rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: open)..<close])]
      else {
        result.append(rest.removeFirst())
        continue
      }
      result += value
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// Returns a time as a person reads it: with the date if it is not near another time.
  func clock(_ time: UTCTime, near other: UTCTime) -> String {
    let seconds = Double(time.nanosecondsSince1970) / 1e9
    let ahead = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    let text = time.advanced(by: .seconds(ahead)).iso8601
    let day = text.prefix(10), hour = text.dropFirst(11).prefix(5)
    let distance = time.since(other)
    return distance > .seconds(43_200) || distance < .seconds(-43_200) ? "\(day) \(hour)" : "\(hour)"
  }

  /// Returns the sentence of a notification.
  func sentence(_ message: NotificationMessage) -> String {
    let last = clause(message.crossing, message)
    switch message.kind {
    case .crossing:
      guard let first = message.earlier.first else { return "\(last)." }
      // A repeated device is named once.
      let parts = message.earlier.dropFirst().map { clause($0, message) } + [last]
      return ([clause(first, message)] + parts.map { "then \($0)" }).joined(separator: ", ") + "."
    case .revised: return "Correction: \(last)."
    case .revoked:
      return "Correction: \(message.crossing.device) did not \(verb(message.crossing).infinitive) "
        + "\(place(message.crossing))."
    }
  }

  private func clause(_ crossing: CrossingPayload, _ message: NotificationMessage) -> String {
    var clause = "\(crossing.device) \(verb(crossing).past) \(place(crossing))"
    if let event = crossing.event {
      clause += " at \(clock(event.time, near: message.created))\(Self.uncertainty(event.timeUncertainty))"
    }
    return clause
  }

  /// Returns the uncertainty of a time in seconds; empty below five minutes.
  private static func uncertainty(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 300 else { return "" }
    let minutes = Int((min(seconds, 1e9) / 60).rounded())
    return minutes < 120 ? " ±\(minutes) min" : " ±\((minutes + 30) / 60) h"
  }

  private func place(_ crossing: CrossingPayload) -> String {
    crossing.fenceName ?? crossing.event?.fence.name ?? "a place"
  }

  private func verb(_ crossing: CrossingPayload) -> (past: String, infinitive: String) {
    switch crossing.event?.kind {
    case .enter: ("entered", "enter")
    case .exit: ("left", "leave")
    case .dwell: ("stayed in", "stay in")
    case nil: ("crossed", "cross")
    }
  }
}
