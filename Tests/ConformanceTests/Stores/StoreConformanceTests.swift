import Testing
import Whereabouts
import WhereaboutsTesting

/// What ``LocationStore`` promises, of every store there is.
@Suite(.timeLimit(.minutes(1))) struct StoreConformanceTests {
  @Test(arguments: StoreRow.commits, StoreKind.allCases)
  func commits(row: StoreRow, kind: StoreKind) async throws { try await row.play(on: kind) }

  @Test(arguments: StoreRow.fences, StoreKind.allCases)
  func fences(row: StoreRow, kind: StoreKind) async throws { try await row.play(on: kind) }

  @Test(arguments: StoreRow.delivery, StoreKind.allCases)
  func delivery(row: StoreRow, kind: StoreKind) async throws { try await row.play(on: kind) }
}
