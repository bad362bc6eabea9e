import WhereaboutsEngine
import WhereaboutsModel

/// An odometer that differs from the standard one in something.
struct Variant {
  let name: String
  var settings = OdometerSettings()
  var model = MotionModel()
  /// The values removed from a fix before its use.
  var removeFields: (inout Fix) -> Void = { _ in }

  init(_ name: String, _ change: (inout Variant) -> Void = { _ in }) {
    self.name = name
    change(&self)
  }

  func distance(of fixes: [Fix]) -> TrackTotals {
    var odometer = Odometer(settings, model: model)
    for var fix in fixes {
      removeFields(&fix)
      odometer.process(fix) { _ in }
    }
    odometer.endSegment { _ in }
    return odometer.totals
  }
}

extension Variant {
  /// The standard odometer, and it with each of its parts taken away.
  static var lessened: [Variant] {
    [
      Variant("standard"),
      Variant("no stated speeds") {
        $0.removeFields = {
          $0.speed = nil
          $0.course = nil
        }
      },
      Variant("no stated courses") { $0.removeFields = { $0.course = nil } },
      Variant("no stated accuracies") { $0.removeFields = { $0.horizontalAccuracy = nil } },
      Variant("no lasting error") { $0.model.errorMemory = 1e-6 },
      Variant("own share of the error fixed at 0.3") { $0.model.uncorrelatedShareGain = 0 },
      // Without looking back no stretch is long, so none may be asked to be.
      Variant("no looking back") {
        $0.model.lag = 0
        $0.model.minimumLagFixes = -1
        $0.model.leastMovement = 0
      },
      Variant("no movement test") {
        $0.model.sureMovementDeviations = 0
        $0.model.possibleMovementDeviations = 0
        $0.model.sureMovementSpeed = -1
        $0.model.possibleMovementSpeed = -1
        $0.model.leastMovement = 0
      },
      Variant("agility fixed at 0.05") { $0.model.agilityGain = 0 },
      Variant("agility fixed at 1") {
        $0.model.agilityGain = 0
        $0.model.initialAgility = 1
      },
      Variant("no manoeuvre believed at once") { $0.model.greatestAcceleration = 0 },
      Variant("no manoeuvre found by surprises") { $0.model.manoeuvreFixes = .max },
      Variant("no manoeuvre found by looking back") { $0.model.manoeuvresInLag = 0 },
      Variant("ends of movements as far as possible") {
        $0.model.endOfMovementDeviations = $0.model.possibleMovementDeviations
      },
      Variant("no robustness") {
        $0.model.fullWeightDeviations = 1e9
        $0.model.rejectionDeviations = 1e9
      },
      Variant("nothing given back for noise") { $0.model.hiddenDistanceShare = 0 },
      Variant("gaps: never straight") { $0.model.straightShare = 0 },
      Variant("gaps: geodesic") { $0.settings.bridging = .geodesic },
      Variant("gaps: none") { $0.settings.bridging = .none },
    ]
  }
}
