import Testing
import WhereaboutsCore
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The moment so many seconds after the start of a test, at which the wall clock says 2024-06-01T12:00:00Z.
func t(_ seconds: Double) -> Moment {
  Moment(instant: Instant(.seconds(seconds)), wall: utc(seconds))
}

/// Wall time so many seconds after the start of a test.
func utc(_ seconds: Double) -> UTCTime {
  UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(seconds))
}

/// A fix made so many seconds after the start of a test, so many metres (about) north of a fixed place.
func fix(_ accuracy: Double?, at seconds: Double?, north metres: Double = 0, speed: Double? = nil) -> Fix {
  Fix.test(
    latitude: 47 + metres / 111_170, longitude: 8, accuracy: accuracy, time: seconds.map(utc), speed: speed)
}

func live(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceArrival)) }

func cached(_ fix: Fix) -> Input { .signal(.fix(fix, age: .sinceFixTime)) }

func answer(_ fix: Fix, age seconds: Double, _ level: AccuracyLevel?) -> Answer {
  Answer(fix: fix, age: .seconds(seconds), level: level)
}

func wants(_ accuracy: Double, filter: Double = 0, _ activity: Activity = .other) -> Effect {
  .demand(.continuous(ContinuousDemand(accuracy: accuracy, distanceFilter: filter, activity: activity)))
}

/// The status of a source that needs no permission.
func status(_ source: ServiceStatus.Source) -> Effect {
  .status(ServiceStatus(authorization: Authorization(.always), source: source))
}

/// Feeds an engine step by step and compares what it does with what it should, as a table.
func expectSteps(
  _ steps: [(at: Moment, input: Input, effects: [Effect])], engine: Engine = Engine(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var engine = engine
  for (index, step) in steps.enumerated() {
    #expect(
      engine.handle(step.input, at: step.at) == step.effects, "step \(index): \(step.input)",
      sourceLocation: sourceLocation)
  }
}

let a = RequestID(1), b = RequestID(2), c = RequestID(3)
let s = SubscriptionID(1), u = SubscriptionID(2)
