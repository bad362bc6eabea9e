import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel

extension [UInt8] {
  /// Appends a usage of the receiver.
  mutating func appendJSON(_ usage: ReceiverUsage) {
    appendJSONObject {
      $0.appendJSONMember("number", usage.number)
      $0.appendJSONMember("began", usage.began)
      $0.appendJSONMember("duration", usage.duration)
      $0.appendJSONMember("demand", usage.demand)
      $0.appendJSONMember("users", ReceiverUsers.named.filter { usage.users.contains($0.users) }) {
        $0.appendJSONString($1.name)
      }
      $0.appendJSONMember("preset", usage.preset)
      $0.appendJSONMember("reason", usage.reason.rawValue)
      if usage.isOpen { $0.appendJSONMember("open", true) }
    }
  }
}
