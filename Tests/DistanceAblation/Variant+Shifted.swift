import WhereaboutsCore

extension Variant {
  /// The standard odometer, and it with each of its numbers halved and doubled.
  static var shifted: [Variant] {
    var variants = [Variant("standard")]
    for number in numbers {
      variants.append(Variant("\(number.name) ÷ 2") { number.scale(&$0.model, 0.5) })
      variants.append(Variant("\(number.name) × 2") { number.scale(&$0.model, 2) })
    }
    variants.append(Variant("gap 10 s") { $0.settings.gap = .seconds(10) })
    variants.append(Variant("gap 40 s") { $0.settings.gap = .seconds(40) })
    return variants
  }

  private struct Number {
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

  private static var numbers: [Number] {
    [
      Number("errorMemory", \.errorMemory),
      Number("initialOwnShare", \.initialOwnShare),
      Number("speedDeviation", \.speedDeviation),
      Number("speedDeviationShare", \.speedDeviationShare),
      Number("initialAgility", \.initialAgility),
      Number("leastAgility", \.leastAgility),
      Number("greatestAgility", \.greatestAgility),
      Number("agilityGain", \.agilityGain),
      Number("agilityClip", \.agilityClip),
      Number("greatestAcceleration", \.greatestAcceleration),
      Number("robustness", \.robustness),
      Number("refusal", \.refusal),
      Number("refusalsBelieved", counting: \.refusalsBelieved),
      Number("surelyMoving", \.surelyMoving),
      Number("maybeMoving", \.maybeMoving),
      Number("surelyMovingSpeed", \.surelyMovingSpeed),
      Number("maybeMovingSpeed", \.maybeMovingSpeed),
      Number("leastMovement", \.leastMovement),
      Number("hiddenWay", \.hiddenWay),
      Number("lag", \.lag),
      Number("leastLagFixes", counting: \.leastLagFixes),
      Number("mostLagFixes", counting: \.mostLagFixes),
      Number("speedMemory", \.speedMemory),
      Number("speedShare", \.speedShare),
      // What ways are longer than straight lines, not that they are as long.
      Number("circuity − 1") { $0.circuity = 1 + ($0.circuity - 1) * $1 },
      Number("circuityShare", \.circuityShare),
      Number("straightShare", \.straightShare),
      Number("restlessness", \.restlessness),
    ]
  }
}
