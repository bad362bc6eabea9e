import Foundation
import Testing

@testable import WhereaboutsServer

@Suite struct ConfigurationFileTests {
  @Test(arguments: [
    ("LISTEN=127.0.0.1:1", "LISTEN=127.0.0.1:1@1"),
    ("WHEREABOUTS_LISTEN=1", "LISTEN=1@1"),
    ("\u{FEFF}LISTEN=1\r\n\r\n STORE = /a b \r\n", "LISTEN=1@1 STORE=/a b@3"),
    ("# LISTEN=1\n; STORE=2\n\nMAX_BODY=3", "MAX_BODY=3@4"),
    ("STORE=\"/a b\"\nSOURCE='x'\nTLS_KEY=\"", "SOURCE=x@2 STORE=/a b@1 TLS_KEY=\"@3"),
    ("STORE=/a=b#c", "STORE=/a=b#c@1"),
  ])
  func readsLines(text: String, expected: String) {
    let file = ConfigurationFile(text: text, name: "f")
    let values = file.values.map { "\($0.rawValue)=\($1.text)@\($1.origin)".replacing("@f:", with: "@") }
    #expect(values.sorted().joined(separator: " ") == expected)
    #expect(file.problems.isEmpty)
  }

  @Test(arguments: [
    ("LISTEN", "f:1: The line has no ="),
    ("\nLISTN=1", "f:2: There is no key LISTN. Is LISTEN meant?"),
    ("WHEREABOUTS_MAX_BODDY=1", "f:1: There is no key WHEREABOUTS_MAX_BODDY. Is MAX_BODY meant?"),
    ("=1", "f:1: There is no key without a name. The keys are LISTEN,"),
    ("PASSWORD_OF_DATABASE=1", "f:1: There is no key PASSWORD_OF_DATABASE. The keys are LISTEN,"),
    ("STORE=1\nSTORE=2", "f:2: STORE stands at f:1 too"),
    ("STORE=a\\\nLISTEN=1", "f:1: A value can't continue"),
  ])
  func errorsAreReportedWithTheirLines(text: String, expected: String) throws {
    let problem = try #require(ConfigurationFile(text: text, name: "f").problems.first)
    #expect("\(problem)".hasPrefix(expected), "\(problem)")
  }

  @Test func anyBytesAreRead() throws {
    let folder = try TemporaryPlace()
    for seed in 0..<50 {
      let bytes = (0..<200).map { UInt8(truncatingIfNeeded: ($0 &* 167) ^ (seed &* 91)) }
      try Data(bytes).write(to: URL(filePath: folder.path("f")))
      _ = ConfigurationFile(path: folder.path("f"))
    }
  }

  @Test func missingFileAndFolderAreProblems() throws {
    let folder = try TemporaryPlace()
    for path in [folder.path("none"), folder.path("")] {
      let problem = try #require(ConfigurationFile(path: path).problems.first)
      #expect("\(problem)".hasPrefix("\(path): The file can't be read: "))
    }
  }

  @Test func endlessFileIsRefused() throws {
    let problem = try #require(ConfigurationFile(path: "/dev/zero").problems.first)
    #expect(problem.text.hasPrefix("The file is larger than 1 MiB"))
  }
}
