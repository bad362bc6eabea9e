import Testing
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Decodes bytes in chunks of the given lengths, and then the rest.
func decode(
  _ bytes: [UInt8], by decoder: consuming some RecordingDecoder, inPiecesOf lengths: some Sequence<Int>
) -> RecordingBatch {
  var decoder = decoder
  var batch = RecordingBatch()
  var start = 0
  for length in lengths where start < bytes.count {
    let end = min(start + length, bytes.count)
    // A separate copy, so that the address sanitizer detects reads past the chunk.
    decoder.decode(Array(bytes[start..<end]), into: &batch)
    start = end
  }
  if start < bytes.count { decoder.decode(Array(bytes[start...]), into: &batch) }
  decoder.finish(into: &batch)
  return batch
}

/// Expects the same elements and problems whole, byte by byte and in random pieces.
func expectSameResultForAnyChunking(
  _ bytes: [UInt8], seed: UInt64 = 1, splits: Int = 8, sourceLocation: SourceLocation = #_sourceLocation,
  by makeDecoder: () -> some RecordingDecoder
) {
  let whole = decode(bytes, by: makeDecoder(), inPiecesOf: [])
  func compare(_ cut: RecordingBatch, _ how: String) {
    let difference = firstDifference(cut, whole)
    #expect(difference == nil, "\(how): \(difference ?? "")", sourceLocation: sourceLocation)
  }
  let ones = repeatElement(1, count: bytes.count)
  compare(decode(bytes, by: makeDecoder(), inPiecesOf: ones), "byte by byte")
  var random = SeededGenerator(seed: seed)
  for split in 0..<splits {
    let longest = [3, 40, 1000, 70_000].randomElement(using: &random) ?? 3
    let lengths = (0..<min(bytes.count, 100_000)).map { _ in Int.random(in: 0...longest, using: &random) }
    compare(decode(bytes, by: makeDecoder(), inPiecesOf: lengths), "seed \(seed), split \(split)")
  }
}

/// The first thing in which two batches differ, in words.
func firstDifference(_ left: RecordingBatch, _ right: RecordingBatch) -> String? {
  for (index, pair) in zip(left.elements, right.elements).enumerated() where pair.0 != pair.1 {
    return "element \(index): \(pair.0) and not \(pair.1)"
  }
  if left.elements.count != right.elements.count {
    return "\(left.elements.count) elements and not \(right.elements.count)"
  }
  return left.problems == right.problems ? nil : "\(left.problems) and not \(right.problems)"
}

extension SeededGenerator {
  /// The bytes with some of them changed, dropped, doubled, or swapped for marks that formats care about.
  mutating func mutated(_ bytes: [UInt8], marks: String = "\"'<>&/=,;{}[]:\\\n\r\t $*-.0e") -> [UInt8] {
    var bytes = bytes
    let marks = Array(marks.utf8)
    for _ in 0..<Int.random(in: 1...8, using: &self) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes[index] = marks.randomElement(using: &self) ?? 0
      case 2: bytes.insert(marks.randomElement(using: &self) ?? 0, at: index)
      case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...20, using: &self)))
      default:
        let end = min(bytes.count, index + Int.random(in: 1...60, using: &self))
        bytes.insert(contentsOf: bytes[index..<end], at: index)
      }
    }
    return bytes
  }
}
