import Foundation
import WhereaboutsTesting

/// Kills processes that play a recording, again and again at random instants, until they have played it to its end, and
/// compares what was delivered with a run that nobody killed.
///
/// Each scenario of another seed takes so many kills; then the next one is played.
struct KillRun {
  private let options: RunnerOptions
  private let seed: UInt64
  private let wanted: Int
  private let perScenario: Int

  init(_ options: RunnerOptions) throws {
    self.options = options
    seed = try options.number("seed", default: 1)
    wanted = Int(try options.number("count", default: 50))
    perScenario = Int(try options.number("per-scenario", default: 25))
  }

  func run() async throws {
    let start = Date()
    var tally = KillTally()
    var scenario = seed
    while tally.kills < wanted {
      let folder = try WorkFolder()
      var pass = try KillPass(
        scenario: scenario, kills: min(perScenario, wanted - tally.kills), options, folder)
      let found = try await pass.run()
      tally.add(found)
      for violation in found.violations { say("violated, scenario \(scenario): \(violation)") }
      // What went wrong is to be looked at, unless it was to.
      if found.violations.isEmpty || options.optionalText("forgets") != nil {
        folder.remove()
      } else {
        say("left in \(folder.url.path)")
      }
      scenario += 1
    }
    say("\(tally.summary(seed: seed)), \(Int(Date().timeIntervalSince(start))) s")
    say(tally.violations.isEmpty ? "done" : "violated")
  }
}

/// What came of some kills.
struct KillTally {
  var kills = 0
  var atWrites = 0
  var atPoints = 0
  var atTimes = 0
  var scenarios = 0
  var delivered = 0
  var deliveredAgain = 0
  var whole = 0
  var distanceOff = 0.0
  var violations: [String] = []

  mutating func add(_ other: KillTally) {
    kills += other.kills
    atWrites += other.atWrites
    atPoints += other.atPoints
    atTimes += other.atTimes
    scenarios += other.scenarios
    delivered += other.delivered
    deliveredAgain += other.deliveredAgain
    whole += other.whole
    distanceOff = max(distanceOff, other.distanceOff)
    violations += other.violations
  }

  func summary(seed: UInt64) -> String {
    """
    kills \(kills) (in writes \(atWrites), in transactions \(atPoints), at times \(atTimes)), seed \(seed): \
    scenarios \(scenarios), delivered \(delivered), of these again \(deliveredAgain), files whole \(whole), \
    distance off by \(distanceOff) m at most, violations \(violations.count)
    """
  }
}
