import WhereaboutsModel
import WhereaboutsGeodesy
package import WhereaboutsReports

/// A diagnosis as one JSON object. The values of a fix have the names that they have in the JSON form of a fix.
package struct DiagnosisJSON {
  let diagnosis: Diagnosis

  package init(diagnosis: Diagnosis) {
    self.diagnosis = diagnosis
  }

  package var object: JSONObject {
    var object = JSONObject()
    object.add("verdict", diagnosis.verdict.rawValue)
    object.add("sources", diagnosis.sources.map(Self.object))
    object.add("machine", diagnosis.machine.map(Self.object))
    object.add("next", diagnosis.nextStep)
    return object
  }

  private static func object(_ source: SourceFinding) -> JSONObject {
    var object = JSONObject()
    object.add("source", source.name)
    object.add("state", source.state.rawValue)
    if let delivery = source.delivery {
      object.add("fixes", delivery.fixCount)
      object.add("firstFixAfter", delivery.timeToFirstFix.inSeconds)
      object.add("mode", delivery.mode.map { Int($0.rawValue) })
      object.add("hacc", delivery.accuracy)
      object.add("estimated", delivery.isAccuracyEstimated)
      object.add("lat", delivery.position?.latitude)
      object.add("lon", delivery.position?.longitude)
    }
    if let satellites = source.satellites {
      object.add("seen", satellites.seen)
      object.add("used", satellites.used)
      object.add("strongestSignal", satellites.strongest)
    }
    object.add("hasHeading", source.hasHeading)
    object.add("code", source.problem?.code.rawValue)
    object.add("problem", source.problem.map { "could not \($0.message)" })
    object.add("remedy", source.remedy)
    object.add("facts", source.facts)
    return object
  }

  private static func object(_ finding: MachineFinding) -> JSONObject {
    var object = JSONObject()
    object.add("name", finding.name)
    object.add("state", finding.state.rawValue)
    object.add("text", finding.text)
    object.add("remedy", finding.remedy)
    return object
  }
}
