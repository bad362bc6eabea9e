/// The quality that a fix needs: a radius *and* an age, and both must hold.
public struct AccuracyLevel: Hashable, Sendable, Codable {
  /// The largest horizontal accuracy that reaches this level, in metres at 68 % confidence.
  public let worstAccuracy: Double
  /// The greatest age of a fix that reaches this level.
  public let maxAge: Duration
  /// The name: a standard name, or `custom`.
  public let name: String

  /// 5000 m and 10 minutes: identifies the town.
  public static let city = AccuracyLevel(name: "city", worstAccuracy: 5000, maxAge: .seconds(600))
  /// 1000 m and 5 minutes: identifies the part of a town.
  public static let neighborhood = AccuracyLevel(
    name: "neighborhood", worstAccuracy: 1000, maxAge: .seconds(300))
  /// 100 m and 1 minute: identifies the street corner.
  public static let block = AccuracyLevel(name: "block", worstAccuracy: 100, maxAge: .seconds(60))
  /// 15 m and 15 seconds: identifies the door.
  public static let house = AccuracyLevel(name: "house", worstAccuracy: 15, maxAge: .seconds(15))
  /// 5 m and 5 seconds: the accuracy of a receiver under open sky.
  public static let room = AccuracyLevel(name: "room", worstAccuracy: 5, maxAge: .seconds(5))

  /// The five standard levels, the most demanding first.
  public static let standard: [AccuracyLevel] = [.room, .house, .block, .neighborhood, .city]

  /// Returns a custom level, or `nil` where the radius is not a positive finite number or the age is negative.
  public static func custom(worstAccuracy: Double, maxAge: Duration) -> AccuracyLevel? {
    guard worstAccuracy.isFinite, worstAccuracy > 0, maxAge >= .zero else { return nil }
    return AccuracyLevel(name: "custom", worstAccuracy: worstAccuracy, maxAge: maxAge)
  }

  /// Returns the standard level of that name, or `nil`.
  public static func named(_ name: some StringProtocol) -> AccuracyLevel? {
    standard.first { $0.name == name }
  }

  private init(name: String, worstAccuracy: Double, maxAge: Duration) {
    self.name = name
    self.worstAccuracy = worstAccuracy
    self.maxAge = maxAge
  }

  /// Decodes a level.
  ///
  /// - Throws: `DecodingError` where a value is missing or has the wrong type, the radius is not a positive finite
  ///   number, or the age is negative.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let level = Self.custom(
      worstAccuracy: try values.decode(Double.self, forKey: .worstAccuracy),
      maxAge: try values.decode(Duration.self, forKey: .maxAge))
    guard let level else {
      throw decoder.dataCorrupted("the radius is not a positive finite number, or the age is negative")
    }
    let name = try values.decode(String.self, forKey: .name)
    self.init(name: name, worstAccuracy: level.worstAccuracy, maxAge: level.maxAge)
  }

  /// Returns whether a fix of that accuracy and age reaches this level.
  ///
  /// - Parameters:
  ///   - accuracy: horizontal accuracy in metres at 68 %; without one, a fix reaches no level.
  ///   - age: age of the fix; slightly negative ages (a clock a little ahead) count as fresh.
  public func isReached(byAccuracy accuracy: Double, age: Duration) -> Bool {
    accuracy <= worstAccuracy && age <= maxAge
  }
}

extension AccuracyLevel: Comparable {
  /// Returns whether the left level demands less: a larger radius; of equal radii, a greater age.
  ///
  /// So `level >= .block` holds for ``block`` and all more demanding levels, and `standard.max()` is ``room``.
  public static func < (left: Self, right: Self) -> Bool {
    // Names come last, so that only equal levels are neither above nor below each other.
    (right.worstAccuracy, right.maxAge, right.name) < (left.worstAccuracy, left.maxAge, left.name)
  }
}
