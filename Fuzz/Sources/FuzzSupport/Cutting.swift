public import WhereaboutsFormats

/// Reads an input whole, byte by byte and in pieces of many lengths, and traps where they differ.
///
/// - Returns: what the whole input gave.
public func readHoweverCut(_ input: [UInt8], by makeDecoder: () -> any RecordingDecoder) -> RecordingBatch {
  var wholeDecoder = makeDecoder()
  let whole = wholeDecoder.decodeAll(input)
  expectSame(read(input, inPieces: { 1 }, by: makeDecoder()), whole, "byte by byte")
  var lengths = PieceLengths(beginning: input.prefix(8))
  expectSame(read(input, inPieces: { lengths.next() }, by: makeDecoder()), whole, "in pieces")
  expectPlausible(whole.problems, in: input)
  return whole
}

/// Reads an input in pieces, as whoever reads a file would: the batch is emptied after each.
private func read(
  _ input: [UInt8], inPieces nextLength: () -> Int, by decoder: any RecordingDecoder
) -> RecordingBatch {
  var decoder = decoder
  var batch = RecordingBatch()
  var elements: [RecordingElement] = []
  var start = 0
  while start < input.count {
    let end = min(start + nextLength(), input.count)
    // A buffer of its own for each piece, spoiled afterwards: nothing may read past it or keep it.
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: end - start, alignment: 1)
    piece.copyBytes(from: input[start..<end])
    decoder.decode(UnsafeRawBufferPointer(piece), into: &batch)
    for index in piece.indices { piece[index] = 0xA5 }
    piece.deallocate()
    elements.append(contentsOf: batch.elements)
    batch.removeAll()
    start = end
  }
  decoder.finish(into: &batch)
  batch.elements.insert(contentsOf: elements, at: 0)
  return batch
}

private func expectSame(_ cut: RecordingBatch, _ whole: RecordingBatch, _ how: String) {
  for (index, pair) in zip(cut.elements, whole.elements).enumerated() where pair.0 != pair.1 {
    fatalError("\(how), element \(index) is\n\(pair.0)\nand whole\n\(pair.1)")
  }
  guard cut.elements.count == whole.elements.count else {
    fatalError("\(how) there are \(cut.elements.count) elements and whole \(whole.elements.count)")
  }
  guard cut.problems == whole.problems else {
    fatalError("\(how) the problems are\n\(cut.problems)\nand whole\n\(whole.problems)")
  }
}

/// A problem stands somewhere in the input, or at its end. In UTF-16 it stands in the text as UTF-8, which has up to three
/// bytes for two.
private func expectPlausible(_ problems: ProblemLog, in input: [UInt8]) {
  let mayBeUTF16 = input.prefix(2).contains { $0 == 0 || $0 >= 0xFE }
  let end = mayBeUTF16 ? input.count * 3 / 2 : input.count
  let lines = 1 + input.count { $0 == 0x0A || $0 == 0x0D }
  for problem in problems.samples {
    guard (0...end).contains(problem.byteOffset), (1...lines).contains(problem.line) else {
      fatalError("a problem that is nowhere in the input: \(problem)")
    }
  }
}

/// Lengths of pieces: most of them short, some longer than most inputs, the same for the same beginning of an input.
private struct PieceLengths {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  init(beginning: some Sequence<UInt8>) {
    for byte in beginning { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  mutating func next() -> Int {
    // Knuth's linear congruential generator; its high bits are good enough to cut with.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let bits = Int(state >> 40)
    let longest = [2, 5, 17, 80, 300, 2000, 3, 9][bits & 7]
    return 1 + (bits >> 3) % longest
  }
}
