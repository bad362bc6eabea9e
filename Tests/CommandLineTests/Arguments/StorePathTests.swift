import Dispatch
import Foundation
import Testing
import WhereaboutsOperations

@Suite struct StorePathTests {
  /// The first runs of two processes may begin at once: one has created the file, and writes its first page next.
  @Test func fileThatAnotherProcessBeginsIsNotReportedAsEmpty() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("store.sqlite", [])
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
      try? Data([1]).write(to: URL(filePath: file))
    }
    #expect(!StorePath(file).isEmptyFile)
    #expect(StorePath(try folder.file("other.sqlite", [])).isEmptyFile)
  }
}
