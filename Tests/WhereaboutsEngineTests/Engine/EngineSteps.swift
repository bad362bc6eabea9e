// Short functions for fixes, moments and inputs, used in all test files.
@_exported public import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsModel

/// Feeds an engine step by step and compares its effects with a table.
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
