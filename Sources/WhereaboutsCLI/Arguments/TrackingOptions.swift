import ArgumentParser
import WhereaboutsCore

/// How a way is measured; the same options wherever a command measures one.
struct TrackingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("How the device is being carried. The standard is other.", valueName: "activity"))
  var activity: ActivityArgument?

  @Option(
    help: ArgumentHelp(
      """
      What a stretch without fixes counts for: estimated from the speed at both ends (the standard), the geodesic \
      from one end to the other, or none.
      """, valueName: "rule"))
  var gaps: BridgingArgument?

  @Option(
    help: ArgumentHelp(
      """
      How the way is worked out: estimated from all that the fixes say (the standard), or from candidates, the best of \
      a few fixes every so often.
      """, valueName: "method"))
  var method: MethodArgument?

  init() {}

  func validate() throws {
    if method == .candidates, gaps != nil {
      throw ValidationError("--gaps is for --method estimated: candidates have a rule of their own")
    }
  }

  /// An option that was given, if one was.
  var given: String? {
    let given = [("activity", activity != nil), ("gaps", gaps != nil), ("method", method != nil)]
    return given.first(where: \.1)?.0
  }

  /// What a tracker is asked; each point of the way is told.
  ///
  /// - Parameter isRecorded: whether what it measures is a recording. That can't be made to speak by starting it again,
  ///   and one that is silent for years would be started every few minutes of them.
  func terms(isRecorded: Bool) -> TrackTerms {
    var terms = TrackTerms(activity: activity?.activity ?? .other, tellsPoints: true)
    if isRecorded { terms.signal.longestSilence = nil }
    switch method ?? .estimated {
    case .estimated:
      var settings = OdometerSettings()
      if let gaps { settings.bridging = gaps.bridging }
      terms.method = .estimated(settings)
    case .candidates:
      terms.method = .candidates(CandidateSettings())
    }
    return terms
  }
}

/// How a way is worked out, as typed.
enum MethodArgument: String, ExpressibleByArgument, Hashable, Sendable, CaseIterable {
  case estimated
  case candidates
}

/// What a gap counts for, as typed.
struct BridgingArgument: ListedArgument, Hashable, Sendable {
  var bridging: OdometerSettings.Bridging

  init?(argument: String) {
    guard let bridging = OdometerSettings.Bridging(rawValue: argument) else { return nil }
    self.bridging = bridging
  }

  static var allValueStrings: [String] { OdometerSettings.Bridging.allCases.map(\.rawValue) }
}
