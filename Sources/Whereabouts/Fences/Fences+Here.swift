public import WhereaboutsModel
public import WhereaboutsGeodesy

extension Fences {
  /// Adds a circular fence around the device's best current fix.
  ///
  /// By the default limits, the fence begins with the device inside, and its exit is reported even if the process ends
  /// before the next fix. A worse accuracy than half of the radius, an age of more than 30 s, or an
  /// `enterConfidence` above 0.99 can leave the side unknown until the next fix. If the device has left by then, its
  /// exit is not reported.
  ///
  /// - Parameters:
  ///   - id: the id of the fence.
  ///   - radius: the radius in metres.
  ///   - terms: the terms of the fence's events.
  ///   - name: the display name.
  ///   - worstAccuracy: the worst accuracy of the fix, in metres at 68 %; `nil` for half of the radius, so that the
  ///     device is very probably inside.
  ///   - maxAge: the greatest age of the fix.
  ///   - timeout: the longest wait for a good enough fix; zero uses the known fix only.
  /// - Returns: the fence.
  /// - Throws: ``Fences/HereError``.
  @discardableResult
  public func addHere(
    _ id: FenceID, radius: Double = 50, terms: FenceTerms = FenceTerms(), name: String? = nil,
    worstAccuracy: Double? = nil, maxAge: Duration = .seconds(30), timeout: Duration = .zero
  ) async throws(HereError) -> Fence {
    guard radius > 0, radius <= Area.Circle.greatestRadius else { throw .noArea(.radius(radius)) }
    let worstAccuracy = worstAccuracy ?? radius / 2
    guard let level = AccuracyLevel.custom(worstAccuracy: worstAccuracy, maxAge: maxAge) else {
      throw .noLevel(worstAccuracy: worstAccuracy, maxAge: maxAge)
    }
    let answer: Answer
    do throws(LocationRequestError) {
      answer = try await manager.fix(level, timeout: timeout)
    } catch {
      throw .noFix(error)
    }
    let circle: Area.Circle
    do throws(AreaError) {
      circle = try Area.Circle(center: answer.fix.coordinate, radius: radius)
    } catch {
      throw .noArea(error)
    }
    let fence = Fence(id: id, area: .circle(circle), terms: terms, name: name)
    do throws(FenceError) {
      try await add(fence)
    } catch {
      throw .failed(error)
    }
    return fence
  }
}

extension Fences {
  /// An error of adding a fence around the device.
  public enum HereError: Error, Hashable, Sendable {
    /// No fix is good enough; holds the best fix, if any.
    case noFix(LocationRequestError)
    /// The circle is no valid area.
    case noArea(AreaError)
    /// No fix can be good enough: the worst accuracy is not a positive finite number, or the greatest age is negative.
    case noLevel(worstAccuracy: Double, maxAge: Duration)
    /// The fence was refused, or it was added and could not be stored yet (``FenceError/storeFailed(_:)``).
    case failed(FenceError)
  }
}

extension Fences.HereError: CustomStringConvertible {
  /// The reason as text for a log, without coordinates.
  public var description: String {
    switch self {
    case .noFix(let failure): failure.description
    case .noArea: "a circle of that radius is no area"
    case .noLevel(_, let maxAge) where maxAge < .zero: "the greatest age of the fix is negative"
    case .noLevel: "the worst accuracy of the fix is not a positive number of metres"
    case .failed(let problem): problem.description
    }
  }
}
