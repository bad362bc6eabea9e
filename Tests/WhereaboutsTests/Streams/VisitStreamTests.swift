import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct VisitStreamTests {
  @Test func visitsAreNeverDropped() async {
    let source = ScriptedSource()
    let manager = LocationManager(source: source, clock: StepClock().managerClock)
    let stream = manager.visits(VisitTerms(radius: 50, minimumStay: .seconds(60)))
    let problem = SourceProblem(.noPosition, message: "see the sky")
    for stay in 0..<5 {
      for minute in 0..<10 {
        await source.emit(fix(5, at: Double(stay * 1000 + minute * 60), north: Double(stay * 1000)))
      }
      await source.emit(.unavailable(problem))
    }
    source.end()
    var visits: [Visit] = []
    for await visit in stream { visits.append(visit) }
    #expect(visits.filter { $0.departure == nil }.count == 5)
    #expect(visits.filter { $0.departure != nil }.count >= 4)
  }
}
