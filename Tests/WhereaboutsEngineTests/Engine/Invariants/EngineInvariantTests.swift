import Testing
import WhereaboutsEngine
import WhereaboutsTesting

/// Invariants of an engine under random inputs: see ``EngineInvariantChecker``. Failures state their seed.
@Suite struct EngineInvariantTests {
  @Test(arguments: PropertyCases.seeds(40, of: 1...300 as ClosedRange<UInt64>))
  func engineInvariantsHoldForRandomInputs(seed: UInt64) {
    var inputs = RandomInputs(seed: seed)
    var engine = Engine(settings: inputs.settings())
    var checker = EngineInvariantChecker(engine)
    for _ in 0..<400 {
      let (input, now) = inputs.nextInput(due: engine.nextWake)
      let effects = engine.handle(input, at: now)
      checker.observe(input, at: now, effects, engine)
      if !checker.violations.isEmpty {
        Issue.record("\(checker.violations) after \(input): \(effects)")
        return
      }
    }
  }

  @Test(arguments: PropertyCases.seeds(5, of: 1...30 as ClosedRange<UInt64>))
  func sameInputsProduceTheSameEffects(seed: UInt64) {
    func run() -> [[Effect]] {
      var inputs = RandomInputs(seed: seed)
      var engine = Engine(settings: inputs.settings())
      return (0..<400).map { _ in
        let (input, now) = inputs.nextInput(due: engine.nextWake)
        return engine.handle(input, at: now)
      }
    }
    // Compared as text: an invalid fix may have an accuracy of NaN, which is not equal to itself.
    #expect(run().map { "\($0)" } == run().map { "\($0)" })
  }

  /// Inputs and effects are copied with each step, so that rare large payloads are stored apart.
  @Test func inputsAndEffectsAreSmall() {
    #expect(MemoryLayout<Input>.size <= 256)
    #expect(MemoryLayout<Effect>.size <= 400)
  }
}
