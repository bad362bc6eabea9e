import Foundation
import WhereaboutsTesting

/// Kills processes that play a recording repeatedly at random instants, until the recording is played to its end. The
/// deliveries must equal those of a run without kills.
///
/// After a number of kills the next scenario is played, with another seed.
struct KillRun {
  private let options: RunnerOptions
  private let seed: UInt64
  private let killCount: Int
  private let perScenario: Int

  init(_ options: RunnerOptions) throws {
    self.options = options
    seed = try options.number("seed", default: 1)
    killCount = Int(try options.number("count", default: 50))
    perScenario = Int(try options.number("per-scenario", default: 25))
  }

  func run() async throws {
    let start = Date()
    var counts = KillCounts()
    var scenario = seed
    while counts.kills < killCount {
      let folder = try WorkFolder()
      var pass = try KillPass(
        scenario: scenario, kills: min(perScenario, killCount - counts.kills), options, folder)
      let found = try await pass.run()
      counts.add(found)
      for violation in found.violations { printLine("violated, scenario \(scenario): \(violation)") }
      // The folder of a failed scenario is left for inspection, unless the failure was intended.
      if found.violations.isEmpty || options.optionalText("forgets") != nil {
        folder.remove()
      } else {
        printLine("left in \(folder.url.path)")
      }
      scenario += 1
    }
    printLine("\(counts.summary(seed: seed)), \(Int(Date().timeIntervalSince(start))) s")
    printLine(counts.violations.isEmpty ? "done" : "violated")
  }
}

/// The results of kills.
struct KillCounts {
  var kills = 0
  var atWrites = 0
  var atPoints = 0
  var atTimes = 0
  var scenarios = 0
  var deliveries = 0
  var repeatedDeliveries = 0
  var wholeFiles = 0
  var distanceError = 0.0
  var violations: [String] = []

  mutating func add(_ other: KillCounts) {
    kills += other.kills
    atWrites += other.atWrites
    atPoints += other.atPoints
    atTimes += other.atTimes
    scenarios += other.scenarios
    deliveries += other.deliveries
    repeatedDeliveries += other.repeatedDeliveries
    wholeFiles += other.wholeFiles
    distanceError = max(distanceError, other.distanceError)
    violations += other.violations
  }

  func summary(seed: UInt64) -> String {
    """
    kills \(kills) (in writes \(atWrites), in transactions \(atPoints), at times \(atTimes)), seed \(seed): \
    scenarios \(scenarios), delivered \(deliveries), of these again \(repeatedDeliveries), files whole \(wholeFiles), \
    distance off by \(distanceError) m at most, violations \(violations.count)
    """
  }
}
