import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsSystem

extension SourceFinding {
  /// Creates a finding from the result of listening to a source.
  ///
  /// - Parameters:
  ///   - time: the time of listening.
  ///   - showsPosition: whether the finding may hold the position.
  init(
    _ name: String, _ result: ListenResult, facts: [String] = [], listeningFor time: Duration,
    showsPosition: Bool = false
  ) {
    self.init(name: name, state: Self.state(result), facts: facts)
    hasHeading = result.hasHeading
    satellites = result.satellites.map(Satellites.init)
    if let fix = result.lastFix, let after = result.firstFixAfter {
      if satellites == nil, let used = fix.satellitesUsed {
        satellites = Satellites(seen: max(Int(used), Int(fix.satellitesInView ?? 0)), used: Int(used))
      }
      delivery = Delivery(
        mode: fix.mode, accuracy: fix.horizontalAccuracy, isAccuracyEstimated: fix.isAccuracyEstimated,
        timeToFirstFix: after, fixCount: result.fixes, position: showsPosition ? fix.coordinate : nil)
    }
    switch state {
    case .delivers: break
    case .denied:
      problem = result.problem
      remedy = result.authorization?.remedy ?? result.problem?.remedy
    case .noFix:
      problem = result.problem
      // Strong signals leave the problem's own reason, such as a receiver that sends no positions.
      remedy =
        satellites.flatMap(\.advice) ?? result.problem?.remedy
        ?? satellites.map { _ in SourceFinding.Satellites.waitAdvice }
    case .silent:
      let seconds = Quantities.duration(time.inSeconds)
      problem =
        result.problem ?? SourceProblem(.silent, message: Self.silence(of: name, lasting: seconds))
      remedy = Self.silenceRemedy(of: name, result.problem, listeningFor: time)
    case .inUse, .notUnderstood, .unusable, .absent:
      problem = result.problem
      remedy = result.problem?.remedy
    }
  }

  /// Returns the remedy for a silent source. The doctor stops listening before a receiver that reports in 10 s or in
  /// 30 s has sent anything.
  private static func silenceRemedy(
    of name: String, _ problem: SourceProblem?, listeningFor time: Duration
  ) -> String? {
    func command(_ least: Int) -> String {
      let longer = max(least, Int((time.inSeconds * 3).rounded()))
      return "`whereabouts doctor --source \(name.shellQuoted) --wait \(longer)s`"
    }
    guard let problem else { return "Listen for longer: \(command(25))." }
    // gpsd answers at once. Standard input can't be listened to again.
    guard let remedy = problem.remedy, name.hasPrefix("nmea:") else { return problem.remedy }
    return "\(remedy) A receiver that reports seldom needs longer: \(command(60))."
  }

  /// Returns the message for a source that sent nothing. The location service sends nothing before its first position.
  private static func silence(of name: String, lasting time: String) -> String {
    name == "geoclue"
      ? "get a position from the location service: none came in \(time)"
      : "hear anything from \(name): nothing readable came in \(time)"
  }

  private static func state(_ result: ListenResult) -> State {
    if result.authorization?.isRefused == true { return .denied }
    if result.fixes > 0, result.problem == nil { return .delivers }
    switch result.problem?.code {
    case .noPosition?: return .noFix
    case .notPermitted?: return .denied
    case .inUse?: return .inUse
    case .notUnderstood?: return .notUnderstood
    case .unusable?, .unreadable?: return .unusable
    case .unreachable?, .noReceiver?: return .absent
    case .silent?: return .silent
    default: return result.hasSignal ? .noFix : .silent
    }
  }
}

extension SourceFinding.Satellites {
  init(_ view: SatellitesInView) {
    seen = view.satellites.count
    used = view.satellites.count { $0.isUsed }
    strongest = view.satellites.compactMap(\.signal).max().map(Double.init)
  }

  /// The remedy if the satellites are too few or too weak for a fix; `nil` if they suffice.
  ///
  /// A receiver needs four satellites whose data is decoded. Decoding takes half a minute of signals of about 25 to
  /// 30 dB-Hz. An open sky gives 40 dB-Hz and more.
  var advice: String? {
    guard seen > 0 else {
      return "Take it outside, or put its antenna at a window: it sees no satellite at all."
    }
    guard let strongest else { return "Take it outside: it hears none of the satellites it knows of." }
    if strongest < 30 { return "Take it outside, or put its antenna at a window: the signals are too weak." }
    return nil
  }

  /// The remedy where the signals suffice, and the source states no problem.
  static let waitAdvice =
    "Wait: after a cold start a receiver needs about half a minute of clear sky, and up to twelve minutes where it "
    + "knows nothing."
}
