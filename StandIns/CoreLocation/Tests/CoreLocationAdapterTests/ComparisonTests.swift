@_spi(Simulation) import CoreLocation
import Foundation
import Testing
import Whereabouts
import WhereaboutsTesting

@testable import CoreLocationAdapter

#if !APPLE_TVOS
  /// Seeded scripts of a person and a device, played twice: with Core Location as the source, and with a scripted source
  /// that emits what Core Location documents. Every answer must be the same.
  @Suite struct ComparisonTests {
    private static let seeds = Array(
      0..<(ProcessInfo.processInfo.environment["WHEREABOUTS_LONG_TESTS"] == nil ? 200 : 1000) as Range<UInt64>
    )

    @Test(arguments: seeds)
    func answersAreThoseOfAScriptedSource(seed: UInt64) async {
      var random = SeededGenerator(seed: seed)
      let play = ComparedPlay()
      for _ in 0..<Int.random(in: 5...40, using: &random) {
        await play.perform(ComparedPlay.Step.random(using: &random))
        await play.synchronize()
      }
      await play.finish()
    }
  }
#endif
