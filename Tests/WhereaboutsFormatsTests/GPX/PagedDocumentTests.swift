import Testing
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// A document on pages is whole after each of its writes.
@Suite struct PagedDocumentTests {
  private static let ending = Array("</trkseg></trk></gpx>\n".utf8)
  private static let header = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk><trkseg>\n"

  /// A point with a number, of any length from about sixty bytes on.
  private static func point(_ number: Int, padding: Int) -> ArraySlice<UInt8> {
    let begin = "<trkpt lat=\"\(number % 90)\" lon=\"\(number)\"><name>"
    return Array((begin + String(repeating: "x", count: padding) + "</name></trkpt>\n").utf8)[...]
  }

  @Test(arguments: 1...20) func documentIsCompleteAfterEveryWrite(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var document = PagedDocument(), file: [UInt8] = [], appended = 0, read = 0
    while appended < 160 {
      var elements: [ArraySlice<UInt8>] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        // A longer name is no text that the decoder keeps.
        let padding = Int.random(in: 0...(seed % 4 == 0 ? 1000 : 150), using: &random)
        var element = Self.point(appended % 179, padding: padding)
        if appended == 0 { element = (Array(Self.header.utf8) + element)[...] }
        elements.append(element)
        appended += 1
      }
      for write in document.append(elements, ending: Self.ending) {
        let page = write.offset / PagedDocument.pageSize
        let last = (write.offset + write.bytes.count - 1) / PagedDocument.pageSize
        #expect(page == last && write.offset <= file.count, "seed \(seed)")
        let overwritten = min(write.bytes.count, file.count - write.offset)
        file.replaceSubrange(write.offset..<(write.offset + overwritten), with: write.bytes)
        let points = try Self.points(of: file)
        #expect(points == (0..<points.count).map { Double($0 % 179) } && points.count >= read, "seed \(seed)")
        read = points.count
      }
      #expect(read == appended, "seed \(seed)")
    }
    #expect(file.count > 2 * PagedDocument.pageSize)
  }

  /// Returns the longitudes of a document without problems.
  private static func points(of file: [UInt8]) throws -> [Double] {
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(file)
    try #require(batch.problems.total == 0, "\(String(decoding: file, as: UTF8.self))")
    return batch.fixes.map(\.coordinate.longitude)
  }
}
