import WhereaboutsModel
import WhereaboutsGeoClue

extension SourceExaminer {
  /// Returns the job that examines GeoClue, the desktop's location service.
  func geoClueJob(during period: ListeningPeriod) -> Job {
    #if GeoClue && os(Linux)
      Job(name: "geoclue") {
        let settings = GeoClueSettings(desktopID: "whereabouts")
        let report = await GeoClueReport.probe(settings, timeout: min(period.limit / 2, .seconds(3)))
        if let problem = report.problem {
          var finding = SourceFinding(
            name: "geoclue", state: problem.code == .notPermitted ? .denied : .absent, problem: problem)
          finding.remedy = problem.remedy
          return Result(finding: finding, listenResult: nil)
        }
        // Without an agent, the service asks nobody, and may never answer.
        let isHopeless = report.agentRemedy != nil && period.endsWithResult
        var result = await listen(
          "geoclue", GeoClueSource(settings), facts: Self.facts(report), during: period,
          atMost: isHopeless ? ListeningPeriod.patience : nil)
        if result.finding.state == .silent {
          result.finding.remedy =
            report.agentRemedy
            ?? "It may need longer: `whereabouts doctor --source geoclue --wait 60s`. Where there is no Wi-Fi it may have nothing to go by."
        }
        return result
      }
    #else
      Job(name: "geoclue") {
        let problem = SourceProblem(.unreachable, message: "use geoclue: this program was built without it")
        return Result(
          finding: SourceFinding(name: "geoclue", state: .absent, problem: problem), listenResult: nil)
      }
    #endif
  }

  #if GeoClue && os(Linux)
    private static func facts(_ report: GeoClueReport) -> [String] {
      var facts = [report.wasRunning ? "the service is running" : "the service is started when it is needed"]
      if report.hasAgent == false { facts.append("no agent is running that could ask you for permission") }
      if report.availableAccuracy == GeoClueAccuracy.none {
        facts.append("it has nothing to find a position by, or is switched off")
      }
      return facts
    }
  #endif
}
