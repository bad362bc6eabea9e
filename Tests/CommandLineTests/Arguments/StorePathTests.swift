import Foundation
import Testing
import Whereabouts
import WhereaboutsOperations

@Suite struct StorePathTests {
  /// The first runs of two processes may begin at once: one has created the file, and writes its first page next.
  @Test func fileThatAnotherProcessBeginsIsNotReportedAsEmpty() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("store.sqlite", [])
    let staysEmpty = try StorePath(file).staysEmpty { try Data([1]).write(to: URL(filePath: file)) }
    #expect(!staysEmpty)
    #expect(StorePath(try folder.file("other.sqlite", [])).isEmptyFile)
  }

  /// A printed command works as it stands, and has no quotes that it does not need.
  @Test func printedOptionsAreQuotedForAShell() {
    #expect(StorePath("/tmp/a.sqlite").options(of: "phone") == " --store /tmp/a.sqlite --device phone")
    #expect(
      StorePath("/tmp/it's [1].sqlite").options(of: "my phone")
        == #" --store '/tmp/it'\''s [1].sqlite' --device 'my phone'"#)
  }
}
