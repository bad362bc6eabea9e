import WhereaboutsModel
import WhereaboutsEngine

extension Variant {
  /// The standard odometer, and it with each of its numbers halved and doubled.
  static var shifted: [Variant] {
    var variants = [Variant("standard")]
    for number in modelParameters {
      variants.append(Variant("\(number.name) ÷ 2") { number.scale(&$0.model, 0.5) })
      variants.append(Variant("\(number.name) × 2") { number.scale(&$0.model, 2) })
    }
    variants.append(Variant("gap 10 s") { $0.settings.gap = .seconds(10) })
    variants.append(Variant("gap 40 s") { $0.settings.gap = .seconds(40) })
    return variants
  }

  private struct ModelParameter {
    let name: String
    let scale: (inout MotionModel, Double) -> Void

    init(_ name: String, _ path: WritableKeyPath<MotionModel, Double>) {
      self.name = name
      scale = { $0[keyPath: path] *= $1 }
    }

    init(_ name: String, counting path: WritableKeyPath<MotionModel, Int>) {
      self.name = name
      scale = { $0[keyPath: path] = Int(Double($0[keyPath: path]) * $1) }
    }

    init(_ name: String, scale: @escaping (inout MotionModel, Double) -> Void) {
      self.name = name
      self.scale = scale
    }
  }

  private static var modelParameters: [ModelParameter] {
    [
      ModelParameter("errorMemory", \.errorMemory),
      ModelParameter("initialOwnShare", \.initialUncorrelatedShare),
      ModelParameter("speedDeviation", \.speedDeviation),
      ModelParameter("speedDeviationShare", \.speedDeviationShare),
      ModelParameter("initialAgility", \.initialAgility),
      ModelParameter("leastAgility", \.leastAgility),
      ModelParameter("leastAgilityBetweenManoeuvres", \.leastAgilityBetweenManoeuvres),
      ModelParameter("manoeuvresInLag", counting: \.manoeuvresInLag),
      ModelParameter("greatestAgility", \.greatestAgility),
      ModelParameter("agilityGain", \.agilityGain),
      ModelParameter("agilityClip", \.agilityClip),
      ModelParameter("greatestAcceleration", \.greatestAcceleration),
      ModelParameter("robustness", \.fullWeightDeviations),
      ModelParameter("refusal", \.rejectionDeviations),
      ModelParameter("refusalsBelieved", counting: \.rejectionsBeforeAcceptance),
      ModelParameter("surelyMoving", \.sureMovementDeviations),
      ModelParameter("maybeMoving", \.possibleMovementDeviations),
      ModelParameter("surelyMovingSpeed", \.sureMovementSpeed),
      ModelParameter("maybeMovingSpeed", \.possibleMovementSpeed),
      ModelParameter("leastMovement", \.leastMovement),
      ModelParameter("hiddenWay", \.hiddenDistanceShare),
      ModelParameter("lag", \.lag),
      ModelParameter("leastLagFixes", counting: \.minimumLagFixes),
      ModelParameter("mostLagFixes", counting: \.maximumLagFixes),
      ModelParameter("speedMemory", \.speedMemory),
      ModelParameter("speedShare", \.speedShare),
      ModelParameter("longestTravel", \.longestTravel),
      // The surplus over a straight line is shifted, not the whole factor.
      ModelParameter("circuity − 1") { $0.circuity = 1 + ($0.circuity - 1) * $1 },
      ModelParameter("circuityShare", \.circuityShare),
      ModelParameter("straightShare", \.straightShare),
      ModelParameter("restlessness", \.restartDeviation),
    ]
  }
}
