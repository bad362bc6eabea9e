import WhereaboutsModel
import WhereaboutsReports

extension SourceFinding {
  /// Creates a finding from the result of listening to a source.
  ///
  /// - Parameters:
  ///   - limit: the maximum time of listening.
  ///   - showsPosition: whether the finding may hold the position.
  init(
    _ name: String, _ heard: ListenResult, facts: [String] = [], listeningFor limit: Duration,
    showsPosition: Bool = false
  ) {
    self.init(name: name, state: Self.state(heard), facts: facts)
    hasHeading = heard.hasHeading
    satellites = heard.satellites.map(Satellites.init)
    if let fix = heard.lastFix, let after = heard.firstFixAfter {
      if satellites == nil, let used = fix.satellitesUsed {
        satellites = Satellites(seen: max(Int(used), Int(fix.satellitesInView ?? 0)), used: Int(used))
      }
      delivery = Delivery(
        mode: fix.mode, accuracy: fix.horizontalAccuracy, isAccuracyEstimated: fix.isAccuracyEstimated,
        timeToFirstFix: after, fixCount: heard.fixes, position: showsPosition ? fix.coordinate : nil)
    }
    switch state {
    case .delivers: break
    case .denied:
      problem = heard.trouble
      remedy = heard.authorization?.remedy ?? heard.trouble?.remedy
    case .noFix:
      problem = heard.trouble
      remedy = satellites.flatMap(\.advice) ?? heard.trouble?.remedy
    case .inUse, .notUnderstood, .unusable, .silent, .absent:
      let seconds = Quantities.duration(limit.inSeconds)
      problem =
        heard.trouble
        ?? SourceProblem(.silent, message: "hear anything from \(name): nothing came in \(seconds)")
      remedy = heard.trouble.map(\.remedy) ?? "Listen for longer: `whereabouts doctor --wait 25s`."
    }
  }

  private static func state(_ heard: ListenResult) -> State {
    if heard.authorization?.isRefused == true { return .denied }
    if heard.fixes > 0, heard.trouble == nil { return .delivers }
    switch heard.trouble?.code {
    case .noPosition?: return .noFix
    case .notPermitted?: return .denied
    case .inUse?: return .inUse
    case .notUnderstood?: return .notUnderstood
    case .unusable?, .unreadable?: return .unusable
    case .unreachable?, .noReceiver?: return .absent
    case .silent?: return .silent
    default: return heard.hasSignal ? .noFix : .silent
    }
  }
}

extension SourceFinding.Satellites {
  init(_ view: SatellitesInView) {
    seen = view.satellites.count
    used = view.satellites.count { $0.isUsed }
    strongest = view.satellites.compactMap(\.signal).max().map(Double.init)
  }

  /// The remedy if the satellites are too few or too weak for a fix.
  ///
  /// A receiver needs four satellites whose data is decoded. Decoding takes half a minute of signals of about 25 to
  /// 30 dB-Hz. An open sky gives 40 dB-Hz and more.
  var advice: String? {
    guard seen > 0 else {
      return "Take it outside, or put its antenna at a window: it sees no satellite at all."
    }
    guard let strongest else { return "Take it outside: it hears none of the satellites it knows of." }
    if strongest < 30 { return "Take it outside, or put its antenna at a window: the signals are too weak." }
    return
      "Wait: after a cold start a receiver needs about half a minute of clear sky, and up to twelve minutes where it "
      + "knows nothing."
  }
}
