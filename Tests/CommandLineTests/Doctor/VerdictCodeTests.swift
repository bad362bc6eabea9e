import Testing
import WhereaboutsDiagnostics
import WhereaboutsOperations

@testable import WhereaboutsCLI

@Suite struct VerdictCodeTests {
  static let codes: [(Diagnosis.Verdict, Int32)] = [
    (.delivers, 0), (.noFix, 3), (.notPermitted, 4), (.absent, 6), (.silent, 5), (.inUse, 7), (.nothing, 1),
  ]

  @Test(arguments: codes.indices) func verdictHasExitCode(index: Int) {
    let (verdict, code) = Self.codes[index]
    #expect((verdict.code?.rawValue ?? 0) == code)
  }
}
