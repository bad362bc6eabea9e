import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

// Scores the segmenter and two plain rules on generated years. Arguments: days, first seed, number of seeds, phone.

let arguments = CommandLine.arguments.dropFirst().map { $0 }
let days = arguments.first.flatMap(Int.init) ?? 120
let firstSeed = arguments.dropFirst().first.flatMap(UInt64.init) ?? 501
let seeds = arguments.dropFirst(2).first.flatMap(UInt64.init) ?? 4
let only = arguments.dropFirst(3).first
let isVerbose = arguments.dropFirst(4).first == "verbose"

let phones: [(name: String, kind: DailyLife.Kind, phone: SimulatedPhone)] = [
  ("minute", .mixed, .minute), ("poor", .mixed, .poor), ("sleeper", .mixed, .sleeper),
  ("sparse", .mixed, .sparse), ("filter", .mixed, .filter),
  ("car", .car, .car),
]
let methods = ["whereabouts", "200 m, 10 min", "density"]

let clock = ContinuousClock()
print("\(days) days of each seed from \(firstSeed) to \(firstSeed + seeds - 1); stays of 10 minutes and more")
print(Row.stayHeading)
var speeds: [String] = []
var journeys: [(name: String, score: JourneyScore)] = []
for (name, kind, phone) in phones where only == nil || only == name {
  var scores = methods.map { _ in StayScore() }
  var journeyScore = JourneyScore()
  var count = 0, elapsed = Duration.zero
  for seed in firstSeed..<(firstSeed + seeds) {
    let life = DailyLife(days: days, kind: kind, seed: seed)
    let fixes = phone.fixes(of: life, seed: seed &* 7919)
    count += fixes.count
    let begin = clock.now
    let segments = Segmenter.segments(of: fixes)
    elapsed += begin.duration(to: clock.now)
    var visits: [FoundStay] = [], ways: [JourneySegment] = []
    for segment in segments {
      switch segment {
      case .visit(let visit): visits.append(FoundStay(visit, since: life.beginning))
      case .journey(let journey): ways.append(journey)
      case .gap: break
      }
    }
    scores[0].add(visits, truth: life)
    journeyScore.add(ways, since: life.beginning, truth: life)
    scores[1].add(PlainRules.anchored(fixes, since: life.beginning), truth: life)
    scores[2].add(PlainRules.density(fixes, since: life.beginning), truth: life)
    if isVerbose, seed == firstSeed { Row.printDetails(scores[0], segments, life) }
  }
  for (method, score) in zip(methods, scores) { print(Row.text(name, count, method, score)) }
  speeds.append("\(name): \(count) fixes in \(elapsed)")
  journeys.append((name, journeyScore))
}
print("")
print(Row.journeyHeading)
for (name, score) in journeys { for line in Row.lines(name, score) { print(line) } }
print("")
for line in speeds { print(line) }
