import WhereaboutsGeodesy
package import WhereaboutsModel

extension [UInt8] {
  package mutating func appendJSONMember(_ key: StaticString, _ visit: Visit) {
    appendJSONMember(key) {
      $0.appendJSONMember("lat", visit.coordinate.latitude)
      $0.appendJSONMember("lon", visit.coordinate.longitude)
      $0.appendJSONMember("hacc", visit.accuracy)
      $0.appendJSONMember("arrival", visit.arrival)
      $0.appendJSONMember("departure", visit.departure)
      $0.appendJSONMember("leftBefore", visit.leftBefore)
    }
  }
}
