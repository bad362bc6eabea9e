import WhereaboutsFormats
package import WhereaboutsEngine
import WhereaboutsModel

extension [UInt8] {
  /// Appends an effect's members: the first names the action.
  package mutating func appendJSONMembers(_ effect: Effect) {
    switch effect {
    case .demand(let demand): appendJSONMember("demand", demand)
    case .askAuthorization(let level): appendJSONMember("askAuthorization", level.rawValue)
    case .wake(let instant):
      if let instant { appendJSONMember("wake", instant) } else { appendJSONMember("wake", text: "never") }
    case .finish(let ids, let outcome):
      appendJSONMember("finish", ids.map(\.number))
      appendJSONMembers(outcome)
    case .progress(let id, let answer):
      appendJSONMember("progress", id.number)
      appendJSONMembers(answer)
    case .notify(let id, let event):
      appendJSONMember("notify", id.number)
      appendJSONMembers(event)
    case .finishSubscription(let id): appendJSONMember("finishSubscription", id.number)
    case .fence(let record): appendJSONMembers(record)
    case .status(let status): appendJSONMember("status", status)
    case .decided(let decision): appendJSONMember("decided") { $0.appendJSONMembers(decision) }
    }
  }
}
