import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct StoreChangeTokenTests {
  @Test func writesOfOthersDifferFromOwnOnes() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let before = try store.changeToken()
    try await store.commit(commit([LoggedFix(try fix(0))]))
    let own = try store.changeToken()
    #expect(own != before && !own.isChangedByOthers(since: before))
    let other = try SQLiteStore.open(at: folder.file)
    try other.write { try $0.execute(sql: "DELETE FROM fix") }
    other.close()
    let changed = try store.changeToken()
    #expect(changed != own && changed.isChangedByOthers(since: own))
    store.close()
  }
}
