import ArgumentParser
import WhereaboutsModel

/// The options for measuring a track. Every command that measures a track shares these options.
struct TrackingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Activity of the device. (default: other)", valueName: "activity"))
  var activity: ActivityArgument?

  @Option(
    help: ArgumentHelp(
      """
      Distance counted for a gap without fixes: estimated from the speed at both ends, the geodesic between the \
      ends, or none. (default: estimated)
      """, valueName: "rule"))
  var gaps: BridgingArgument?

  @Option(
    help: ArgumentHelp(
      """
      Method of measurement: estimated from all fixes, or candidates, the best fix of a few at intervals. \
      (default: estimated)
      """, valueName: "method"))
  var method: MethodArgument?

  init() {}

  func validate() throws {
    if method == .candidates, gaps != nil {
      throw ValidationError("--gaps requires --method estimated: candidates have their own rule for gaps")
    }
  }

  /// One of the given options, if any.
  var givenOption: String? {
    let given = [("activity", activity != nil), ("gaps", gaps != nil), ("method", method != nil)]
    return given.first(where: \.1)?.0
  }

  /// Returns the terms of the tracker. The tracker reports each settled point.
  ///
  /// - Parameter isRecorded: whether the source is a recording. A restart cannot end the silence of a recording, and
  ///   a recording with years of silence would restart every few minutes.
  func terms(isRecorded: Bool) -> TrackTerms {
    var terms = TrackTerms(activity: activity?.activity ?? .other, reportsPoints: true)
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

/// A method of track estimation as typed.
enum MethodArgument: String, ExpressibleByArgument, Hashable, Sendable, CaseIterable {
  case estimated
  case candidates
}

/// A rule for the distance across gaps as typed.
struct BridgingArgument: ListedArgument, Hashable, Sendable {
  var bridging: OdometerSettings.Bridging

  init?(argument: String) {
    guard let bridging = OdometerSettings.Bridging(rawValue: argument) else { return nil }
    self.bridging = bridging
  }

  static var allValueStrings: [String] { OdometerSettings.Bridging.allCases.map(\.rawValue) }
}
