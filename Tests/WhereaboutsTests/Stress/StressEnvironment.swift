import WhereaboutsTesting
import Whereabouts

/// Random events of a source, a user and the clocks.
struct StressEnvironment {
  var random: SeededGenerator
  let source: ScriptedSource
  let clock: StepClock
  private var seconds = 0.0
  private var metres = 0.0

  init(random: SeededGenerator, source: ScriptedSource, clock: StepClock) {
    self.random = random
    self.source = source
    self.clock = clock
  }

  mutating func step() async {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: await sendFix()
    case 9..<13: await clock.advance(by: .milliseconds(Int.random(in: 0...3000, using: &random)))
    case 13: await source.emit(.unavailable(SourceProblem(.noPosition, message: "see the sky")))
    case 14: await source.fail(SourceProblem(.unreachable, message: "reach the receiver"))
    case 15: await source.emit(Authorization(Bool.random(using: &random) ? .denied : .notDetermined))
    case 16, 17:
      await source.emit(Authorization(.always, accuracy: Bool.random(using: &random) ? .full : .reduced))
    case 18:
      if let heading = Heading(degrees: .random(in: 0..<360, using: &random), reference: .trueNorth) {
        await source.emit(.heading(heading))
      }
    default:
      if Int.random(in: 0..<8, using: &random) == 0 {
        await source.emit(.headingsUnavailable(SourceProblem(.unreachable, message: "find a compass")))
      } else {
        clock.setWall(
          UTCTime(nanosecondsSince1970: .random(in: 0...4_000_000_000_000_000_000, using: &random)))
      }
    }
  }

  private mutating func sendFix() async {
    seconds += .random(in: 0...2, using: &random)
    metres = (metres + .random(in: -5...50, using: &random)).truncatingRemainder(dividingBy: 10_000)
    let accuracies: [Double] = [4, 9, 12, 60, 80, 90, 700, 800, 4000, -1]
    await source.emit(fix(accuracies.randomElement(using: &random) ?? 4, at: seconds, north: metres))
  }
}
