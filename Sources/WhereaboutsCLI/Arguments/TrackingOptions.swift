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

  init() {}

  /// An option that was given, if one was.
  var given: String? {
    if activity != nil { return "activity" }
    return gaps == nil ? nil : "gaps"
  }

  /// What a tracker is asked.
  var terms: TrackTerms {
    var settings = OdometerSettings()
    if let gaps { settings.bridging = gaps.bridging }
    return TrackTerms(activity: activity?.activity ?? .other, method: .estimated(settings))
  }
}

/// What a gap counts for, as typed.
struct BridgingArgument: ExpressibleByArgument, Hashable, Sendable {
  var bridging: OdometerSettings.Bridging

  init?(argument: String) {
    guard let bridging = OdometerSettings.Bridging(rawValue: argument) else { return nil }
    self.bridging = bridging
  }

  static var allValueStrings: [String] { OdometerSettings.Bridging.allCases.map(\.rawValue) }
}
