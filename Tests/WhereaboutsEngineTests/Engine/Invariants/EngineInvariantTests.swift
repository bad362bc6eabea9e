import Testing
import WhereaboutsEngine
import WhereaboutsTesting

/// What holds whatever happens: see ``EngineInvariantChecker`` for the list. A seed that fails names itself.
@Suite struct EngineInvariantTests {
  @Test(arguments: PropertyCases.seeds(40, of: 1...300 as ClosedRange<UInt64>))
  func engineInvariantsHoldForRandomInputs(seed: UInt64) {
    var inputs = RandomInputs(seed: seed)
    var engine = Engine(settings: inputs.settings())
    var witness = EngineInvariantChecker(engine)
    for _ in 0..<400 {
      let (input, now) = inputs.nextInput(due: engine.nextWake)
      let effects = engine.handle(input, at: now)
      witness.observe(input, at: now, effects, engine)
      if !witness.violations.isEmpty {
        Issue.record("\(witness.violations) after \(input): \(effects)")
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
    // By their words: a broken fix may state an accuracy that is no number and equals nothing.
    #expect(run().map { "\($0)" } == run().map { "\($0)" })
  }
}
