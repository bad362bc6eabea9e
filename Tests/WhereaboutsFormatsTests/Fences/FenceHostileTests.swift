import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsTesting

/// Reading ends for any file content, and every problem has a location in the file.
@Suite struct FenceHostileTests {
  static let files = [
    featureCollection(square, #"{"dwell":5,"activeHours":["Mo 09:00-17:00"],"name":"x"}"#),
    featureCollection(point, #"{"radius":5}"#) + "\n" + featureCollection(square), KMLFenceTests.map,
    GPXFenceTests.places,
  ]

  @Test(arguments: 1...300) func damagedFilesDoNotTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for text in Self.files {
      let bytes = random.mutated(Array(text.utf8))
      let file = FenceReader(defaultRadius: 5, defaultWidth: 5).read(bytes)
      let lines = 1 + bytes.count { $0 == 10 }
      for problem in file.problems {
        #expect((0...bytes.count).contains(problem.byteOffset), "seed \(seed)")
        #expect((1...lines).contains(problem.line), "seed \(seed)")
      }
      #expect(Set(file.fences.map(\.id)).count == file.fences.count, "seed \(seed)")
      let again = FenceReader().read(FenceWriter(style: .exact).write(file.fences))
      #expect(again.fences == file.fences, "seed \(seed)")
    }
  }

  @Test func invalidUTF8IsReplaced() {
    var bytes = Array(featureCollection(square, #"{"name":"?"}"#).utf8)
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) { bytes[mark] = 0xFF }
    let file = FenceReader().read(bytes)
    #expect(file.fences.first?.name == "\u{FFFD}")
  }
}
