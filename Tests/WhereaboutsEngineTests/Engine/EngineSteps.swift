// For every file of these tests: fixes, moments and inputs in few words.
@_exported public import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsModel

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
