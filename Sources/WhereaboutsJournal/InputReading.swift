import WhereaboutsFormats
import WhereaboutsEngine
import WhereaboutsModel

extension JSONFields {
  /// Returns the input among other members; the first member that names an input counts.
  func input() throws(FieldError) -> Input {
    for (name, value) in members {
      switch name {
      case "fix": return .signal(.fix(try part(name, value).fix(), age: try choice("age") ?? .sinceArrival))
      case "wake": return .wake
      case "request": return .request(RequestID(try number(name)), try requestTerms())
      case "follow": return .follow(RequestID(try number(name)))
      case "completeNow": return .completeNow(RequestID(try number(name)))
      case "cancel": return .cancel(RequestID(try number(name)))
      case "subscribe": return .subscribe(SubscriptionID(try number(name)), try subscriptionTerms())
      case "unsubscribe": return .unsubscribe(SubscriptionID(try number(name)))
      case "tracker":
        return .track(SubscriptionID(try number(name)), try choice("command").required("command"))
      case "addFences": return .fences(.add(try fences(name)))
      case "updateFences": return .fences(.update(try fences(name)))
      case "removeFences": return .fences(.remove(try fenceIDs(name)))
      case "removeAllFences": return .fences(.removeAll)
      case "sharedFences": return .fences(.share(try sharedFences(value)))
      case "restore": return .restore(try restoration(value))
      case "power": return .power(try part(name, value).powerState())
      case "endTrip": return .endTrip(TripID(rawValue: try text(name).required(name)))
      case "heading": return .signal(.heading(try part(name, value).heading()))
      case "headingsUnavailable": return .signal(.headingsUnavailable(try part(name, value).problem()))
      case "authorization": return .signal(.authorization(try part(name, value).authorization()))
      case "satellites": return .signal(.satellites(try part(name, value).satellitesInView()))
      case "segmentBegan": return .signal(.segmentBegan)
      case "unavailable": return .signal(.unavailable(try part(name, value).problem()))
      case "failed": return .signal(.failed(try part(name, value).problem()))
      case "sources": return .signal(.sources(try sources(value)))
      case "wakeCapacity":
        return .signal(
          .wakeCapacity(
            Int(clamping: try number(name) as UInt64), greatestRadius: try double("greatestRadius")))
      case "woke": return .signal(.woke(try choice(name).required(name)))
      case "ended": return .signal(.ended)
      default: continue
      }
    }
    throw FieldError(rule: "the entry has no known input")
  }

  private func restoration(_ value: ExactJSON) throws(FieldError) -> Restoration {
    do { return try value.decoded(as: Restoration.self) } catch {
      throw FieldError(rule: "restore is not a stored state")
    }
  }

  private func sharedFences(_ value: ExactJSON) throws(FieldError) -> FenceRegistry {
    do { return try value.decoded(as: FenceRegistry.self) } catch {
      throw FieldError(rule: "sharedFences is not a list of fences with their serials")
    }
  }

  private func sources(_ value: ExactJSON) throws(FieldError) -> [SourceHealth] {
    do { return try value.decoded(as: [SourceHealth].self) } catch {
      throw FieldError(rule: "sources is not a list of the health of sources")
    }
  }

  private func number(_ name: String) throws(FieldError) -> UInt64 { try integer(name).required(name) }

  private func part(_ name: String, _ value: ExactJSON) throws(FieldError) -> JSONFields {
    guard case .object(let fields) = value else { throw FieldError(rule: "\(name) is no object") }
    return fields
  }
}
