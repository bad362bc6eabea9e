public import WhereaboutsCore
public import WhereaboutsGeodesy

extension Fences {
  /// Watches the place where the device is: a circle around the best current fix.
  ///
  /// - Parameters:
  ///   - id: the fence's.
  ///   - radius: metres.
  ///   - terms: what is to be told.
  ///   - name: what people call it.
  ///   - worstAccuracy: how poor the fix may be, in metres at 68 %; `nil` for half of the radius, so that the device is in
  ///     its own fence in all likelihood.
  ///   - maxAge: how old it may be.
  ///   - timeout: how long to wait for a fix where there is none that is good enough; zero to look only at what there is.
  /// - Returns: the fence.
  /// - Throws: why there is none, and then nothing has been made.
  @discardableResult
  public func addHere(
    _ id: FenceID, radius: Double = 50, terms: FenceTerms = FenceTerms(), name: String? = nil,
    worstAccuracy: Double? = nil, maxAge: Duration = .seconds(30), timeout: Duration = .zero
  ) async throws(FenceHereFailure) -> Fence {
    guard let level = AccuracyLevel.custom(worstAccuracy: worstAccuracy ?? radius / 2, maxAge: maxAge) else {
      throw .noArea(.radius(radius))
    }
    let answer: Answer
    do throws(LocateFailure) {
      answer = try await manager.fix(level, timeout: timeout)
    } catch {
      throw .noFix(error)
    }
    let circle: Area.Circle
    do throws(AreaProblem) {
      circle = try Area.Circle(center: answer.fix.coordinate, radius: radius)
    } catch {
      throw .noArea(error)
    }
    let fence = Fence(id: id, area: .circle(circle), terms: terms, name: name)
    do throws(FenceFailure) {
      try await add(fence)
    } catch {
      throw .failed(error)
    }
    return fence
  }
}

/// Why there is no fence around where the device is.
public enum FenceHereFailure: Error, Hashable, Sendable {
  /// There is no fix that is good enough; it holds the best there was.
  case noFix(LocateFailure)
  /// Its circle is none.
  case noArea(AreaProblem)
  /// It can't be added, or not be written down.
  case failed(FenceFailure)
}

extension FenceHereFailure: CustomStringConvertible {
  /// Why there is none, for a log: never a coordinate.
  public var description: String {
    switch self {
    case .noFix(let failure): failure.description
    case .noArea: "a circle of that radius is no area"
    case .failed(.refused(.duplicate(let id))): "there is a fence named \(id) already"
    case .failed(.refused(.unknownTimeZone(_, let zone))): TimeZoneFailure.unknown(zone).description
    case .failed(.notKept(let trouble)): "could not \(trouble.message)"
    }
  }
}
