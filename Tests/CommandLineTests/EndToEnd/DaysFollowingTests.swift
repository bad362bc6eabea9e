import Foundation
import Testing

@testable import WhereaboutsOperations

/// `whereabouts days --follow` that begins before its store has fixes.
@Suite struct DaysFollowingTests {
  @Test(arguments: [false, true])
  func followingWaitsForTheFirstFixesOfTheStore(exists: Bool) async throws {
    let store = try TestStore()
    if exists { #expect(try await store.fenceCommand("add", "home", "--at", "51,0").code == 0) }
    let errors = store.folder.path("errors")
    let run = try await CommandRun(
      shell: """
        out='\(store.folder.path("out"))'
        '\(CommandRun.binary.path())' days --follow --time-zone UTC --store '\(store.path)' \
        >"$out" 2>'\(errors)' &
        run=$!
        wait_for $run grep -q '\(exists ? "no fixes are stored" : "no store exists")' '\(errors)'
        whereabouts import --device phone --store '\(store.path)' '\(CommandRun.walk)' >/dev/null 2>&1
        wait_for $run grep -q 'current\\|opened\\|closed' "$out"
        kill -INT $run
        wait $run
        code=$?
        cat "$out"
        exit $code
        """)
    #expect(run.code == 0 && !run.output.isEmpty, "\(run.errors)")
  }

  /// A device may get its first fixes after the store is opened without any.
  @Test func deviceWithoutDataIsNotFollowed() async throws {
    let store = try TestStore()
    #expect(try await store.fenceCommand("add", "home", "--at", "51,0").code == 0)
    let selection = StoreSelection(file: store.path, device: nil)
    let opened = try OpenStore.readingPast(selection)
    defer { opened.close() }
    #expect(try await store.command("import", "--device", "phone", CommandRun.walk).code == 0)
    #expect(try !opened.hasPast())
    let next = try OpenStore.readingPast(selection)
    defer { next.close() }
    #expect(try next.hasPast())
  }
}
