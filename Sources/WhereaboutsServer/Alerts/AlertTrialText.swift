import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
package import WhereaboutsReports

/// The decisions of a trial of alerts as text and as JSON.
package enum AlertTrialText {
  /// Returns `2024-05-14 17:04:12  anna  left  home  school: notified by parents`.
  package static func line(_ decision: AlertTrial.Decision, _ text: FenceEventText) -> String {
    let event = decision.event
    let channels =
      decision.channels.isEmpty ? "" : " by \(decision.channels.joined(separator: ", "))"
    let columns = [
      "\(event.time.dateText) \(event.time.clockText)", decision.device.rawValue,
      FenceEventText.word(event.kind, event.manner), text.name(event.fence),
      "\(decision.alert): \(decision.text)\(channels)",
    ]
    return columns.joined(separator: "  ").sanitizedToOneLine
  }

  /// Appends a line with `time`, `device`, `fence`, `event`, `crossing` (its id), `alert`, `channels` and `text`.
  package static func append(_ decision: AlertTrial.Decision, to bytes: inout [UInt8]) {
    bytes.appendJSONObject { body in
      body.appendJSONMember("time", decision.event.time)
      body.appendJSONMember("device", decision.device.rawValue)
      body.appendJSONMember("fence", decision.event.fence.name)
      body.appendJSONMember("event", decision.event.kind.rawValue)
      body.appendJSONMember("crossing", decision.event.id.number)
      body.appendJSONMember("alert", decision.alert)
      body.appendJSONMember("channels", decision.channels) { $0.appendJSONString($1) }
      body.appendJSONMember("text", decision.text)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
