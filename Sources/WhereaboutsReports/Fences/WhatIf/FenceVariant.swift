import WhereaboutsModel
import WhereaboutsGeodesy

/// A variant of a fence's terms. A `nil` value keeps the fence's own term.
package struct FenceVariant: Hashable, Sendable {
  var radius: Double?
  var enterDwell: Duration?
  var exitDwell: Duration?
  var dwell: Duration?
  var confidence: Double?
  var hysteresis: Double?

  package init(
    radius: Double? = nil, enterDwell: Duration? = nil, exitDwell: Duration? = nil, dwell: Duration? = nil,
    confidence: Double? = nil, hysteresis: Double? = nil
  ) {
    self.radius = radius
    self.enterDwell = enterDwell
    self.exitDwell = exitDwell
    self.dwell = dwell
    self.confidence = confidence
    self.hysteresis = hysteresis
  }

  /// Returns every combination of the given values. An empty list keeps a term, and the first list varies slowest.
  package static func all(
    radii: [Double], enterDwells: [Duration], exitDwells: [Duration], dwells: [Duration],
    confidences: [Double], hystereses: [Double]
  ) -> [FenceVariant] {
    var settings = [FenceVariant()]
    func vary<Value>(_ values: [Value], _ key: WritableKeyPath<FenceVariant, Value?>) {
      guard !values.isEmpty else { return }
      settings = settings.flatMap { setting in
        values.map { value in
          var setting = setting
          setting[keyPath: key] = value
          return setting
        }
      }
    }
    vary(radii, \.radius)
    vary(enterDwells, \.enterDwell)
    vary(exitDwells, \.exitDwell)
    vary(dwells, \.dwell)
    vary(confidences, \.confidence)
    vary(hystereses, \.hysteresis)
    return settings
  }

  /// Whether the variant keeps every term.
  package var isUnchanged: Bool { self == FenceVariant() }

  /// Returns the fence with the variant's terms.
  func applied(to fence: Fence) throws(AreaError) -> Fence {
    var area = fence.area
    if let radius, case .circle(let circle) = area {
      area = .circle(try Area.Circle(center: circle.center, radius: radius))
    }
    var terms = fence.terms
    if let enterDwell { terms.enterDwell = enterDwell }
    if let exitDwell { terms.exitDwell = exitDwell }
    if let dwell {
      terms.dwell = dwell > .zero ? dwell : nil
      terms.notify.insert(.dwell)
    }
    if let confidence {
      terms.enterConfidence = confidence
      terms.exitConfidence = confidence
    }
    if let hysteresis { terms.hysteresisMargin = hysteresis }
    // A fence that is removed after its first event would have no second event.
    terms.once = false
    terms.expiry = nil
    return Fence(id: fence.id, area: area, terms: terms, name: fence.name)
  }

  /// The changed terms, as columns of a table.
  var columns: [(name: String, value: String)] {
    var columns: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) { if let value { columns.append((name, value)) } }
    add("radius", radius.map(Quantities.length))
    add("enter dwell", enterDwell.map { Quantities.duration($0.inSeconds) })
    add("exit dwell", exitDwell.map { Quantities.duration($0.inSeconds) })
    add("dwell", dwell.map { Quantities.duration($0.inSeconds) })
    add("confidence", confidence.map(FenceEventText.requiredPercent))
    add("hysteresis", hysteresis.map(Quantities.length))
    return columns
  }

  /// The changed terms as JSON.
  var json: JSONObject {
    var object = JSONObject()
    object.add("radius", radius)
    object.add("enterDwell", enterDwell?.inSeconds)
    object.add("exitDwell", exitDwell?.inSeconds)
    object.add("dwell", dwell?.inSeconds)
    object.add("confidence", confidence)
    object.add("hysteresis", hysteresis)
    return object
  }
}
