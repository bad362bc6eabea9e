import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// Bytes between and around sentences. Each stream contains three valid sentences of three instants.
@Suite struct FramingTests {
  private static let first = sentence(SampleSentences.rmc("101112"))
  private static let second = sentence(SampleSentences.rmc("101113"))
  private static let third = sentence(SampleSentences.rmc("101114"))

  struct MalformedCase: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var problems: [InputProblem.Kind: Int] = [:]
    var fixes = 3
    var testDescription: String { name }
  }

  private static func malformedCase(
    _ name: String, _ between: String, _ problems: [InputProblem.Kind: Int] = [:], fixes: Int = 3
  ) -> MalformedCase {
    MalformedCase(name: name, text: first + between + second + third, problems: problems, fixes: fixes)
  }

  @Test(arguments: [true, false]) func utf16WithAMarkIsDecoded(isBigEndian: Bool) {
    let text = "\u{FEFF}" + Self.first + "x" + Self.second + Self.third
    let bytes = text.utf16.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(RecordingFormat.detect(bytes) == .nmea)
    var decoder = NMEADecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.fixes.count == 3 && batch.problems.counts == [.garbage: 1])
    // In UTF-8, where the mark has three bytes.
    #expect(batch.problems.samples.map(\.byteOffset) == [3 + Self.first.utf8.count])
    expectSameResultForAnyChunking(bytes) { NMEADecoder() }
  }

  /// The first bytes of a receiver are noise at times.
  @Test(arguments: [[0, 0x24], [0xFE], [0xFF], [0xFF, 0xFE]] as [[UInt8]])
  func noiseIsNotUTF16ForALiveReceiver(noise: [UInt8]) {
    var options = NMEADecoder.Options()
    options.endsEpochsEarly = true
    let bytes = noise + Array((Self.first + Self.second).utf8)
    var decoder = NMEADecoder(options: options)
    #expect(decoder.decodeAll(bytes).fixes.count == 2)
    expectSameResultForAnyChunking(bytes) { NMEADecoder(options: options) }
  }

  static let malformedCases: [MalformedCase] = [
    malformedCase("nothing", ""),
    malformedCase("empty lines", "\r\n\n\r\n  \t\r\n"),
    malformedCase("NULs", "\0\0\0\0"),
    malformedCase("a comment", "# GPRMC $ ! \\ anything\n"),
    malformedCase("an AIS report", sentence("AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0", mark: "!")),
    malformedCase("an AIS report with a wrong checksum", "!AIVDM,1,1,,A,14eG,0*00\r\n", [.wrongChecksum: 1]),
    malformedCase("a tag block", "\\s:r003669930,c:1120959341*0D\\"),
    malformedCase("a tag block on a line of its own", "\\g:1-2-1234*56\\\r\n"),
    malformedCase("a tag block that does not end", "\\s:r003669930,c:1120959341\r\n", [.garbage: 1]),
    malformedCase("a duplicates mark", "$", [.garbage: 1]),
    malformedCase("a tripled mark", "$$", [.garbage: 1]),
    malformedCase("a line of garbage", "hello, world\r\n", [.garbage: 1]),
    malformedCase("garbage before a sentence", "\u{7F}\u{1}xyz", [.garbage: 1]),
    malformedCase("two lines of garbage", "one\ntwo\n", [.garbage: 2]),
    malformedCase("bytes of a binary protocol", "\u{B5}b\u{1}\u{7}$\u{3}!\u{4}*\u{5}\n", [.garbage: 1]),
    malformedCase("a wrong checksum", "$" + SampleSentences.rmc("101112.5") + "*00\r\n", [.wrongChecksum: 1]),
    malformedCase(
      "a checksum in lower case", sentence(SampleSentences.rmc("101112.5")).lowercasedChecksum, fixes: 4),
    malformedCase("no checksum", "$" + SampleSentences.rmc("101112.5") + "\r\n", [.missing: 1]),
    malformedCase(
      "no hexadecimal digits after the star", "$" + SampleSentences.rmc("101112.5") + "*\r\n", [.malformed: 1]
    ),
    malformedCase(
      "one hexadecimal digit after the star", "$" + SampleSentences.rmc("101112.5") + "*5\r\n",
      [.malformed: 1]),
    malformedCase("a sentence cut off by the next", "$GPRMC,101112.5,A,4730.0", [.truncated: 1]),
    malformedCase("a mark and an address cut off by the next", "$GPR", [.truncated: 1]),
    malformedCase("a line cut off", "$GPRMC,101112.5,A,4730.0\r\n", [.missing: 1]),
    malformedCase(
      "a sentence of 600 bytes", sentence("GPTXT," + String(repeating: "x", count: 590)), [.tooLong: 1]),
    malformedCase("a sentence of 500 bytes", sentence("GPTXT," + String(repeating: "x", count: 490))),
    malformedCase("a kilobyte without a line end", String(repeating: "x", count: 1024), [.garbage: 1]),
    malformedCase("spaces and pluses inside a sentence", sentence("GPTXT,01,01,02,a b + c")),
    malformedCase("a strange address with a right checksum", sentence("--A,1,2")),
    malformedCase("an unknown sentence", sentence("GPXYZ,1,2,3")),
    malformedCase("an unknown maker's sentence", sentence("PXYZ,1,2,3")),
    malformedCase("a maker's sentence that ends like an RMC", sentence("PGRMC,A,218.8,100,6378137.000")),
    malformedCase(
      "sentences without line ends", sentence(SampleSentences.rmc("101112.5"), end: ""), fixes: 4),
    malformedCase("text after a checksum", "then\r\n", [.garbage: 1]),
    MalformedCase(
      name: "line feeds alone", text: [first, second, third].joined().replacing("\r\n", with: "\n")),
    MalformedCase(
      name: "carriage returns alone", text: [first, second, third].joined().replacing("\r\n", with: "\r")),
    MalformedCase(
      name: "line feed first", text: [first, second, third].joined().replacing("\r\n", with: "\n\r")),
    MalformedCase(name: "a byte order mark", text: "\u{FEFF}" + first + second + third),
    MalformedCase(
      name: "no line end at the end", text: first + second + sentence(SampleSentences.rmc("101114"), end: "")),
    MalformedCase(
      name: "cut off at the end", text: first + second + String(third.dropLast(5)), problems: [.truncated: 1],
      fixes: 2),
    MalformedCase(
      name: "cut off in the checksum", text: first + second + String(third.dropLast(2)).dropLast(),
      problems: [.truncated: 1], fixes: 2),
    MalformedCase(
      name: "a tag block at the end", text: first + second + third + "\\c:1", problems: [.garbage: 1]),
    MalformedCase(
      name: "a time stamp before each sentence", text: "12:00 \(first)12:01 \(second)12:02 \(third)",
      problems: [.garbage: 3]),
  ]

  @Test(arguments: malformedCases) func validSentencesAreDecodedBesideMalformedText(_ nasty: MalformedCase) {
    let bytes = Array(nasty.text.utf8)
    var decoder = NMEADecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.fixes.count == nasty.fixes)
    #expect(batch.problems.counts == nasty.problems)
    expectSameResultForAnyChunking(bytes, splits: 4) { NMEADecoder() }
  }

  @Test(arguments: malformedCases) func splittingAnywhereDoesNotChangeTheResult(_ nasty: MalformedCase) {
    let bytes = Array(nasty.text.utf8)
    let whole = decode(bytes, by: NMEADecoder(), inPiecesOf: [])
    // Long runs of one byte are cut once.
    for cut in stride(from: 0, to: bytes.count, by: bytes.count > 500 ? 7 : 1) {
      let halves = decode(bytes, by: NMEADecoder(), inPiecesOf: [cut])
      #expect(halves.elements == whole.elements, "cut at \(cut)")
      #expect(halves.problems == whole.problems, "cut at \(cut)")
    }
  }

  @Test func missingChecksumsAreAcceptedByOption() {
    var options = NMEADecoder.Options()
    options.acceptsMissingChecksums = true
    let text = "$\(SampleSentences.rmc("101112"))\r\n$\(SampleSentences.rmc("101113"))\n$GPXYZ\n" + Self.third
    let batch = decodeNMEA(text, options: options)
    #expect(batch.fixes.count == 3)
    #expect(batch.problems.total == 0)
  }

  @Test func problemsReportTheirLocation() {
    let text = "#\r\n" + Self.first + "rubbish\r\n\r\n" + Self.second + "$GPRMC,1*00\r\n"
    let problems = decodeNMEA(text).problems.samples
    #expect(problems.map(\.kind) == [.garbage, .wrongChecksum])
    #expect(problems.map(\.line) == [3, 6])
    let places = [text.range(of: "rubbish"), text.range(of: "$GPRMC,1*")].map { range in
      range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
    }
    #expect(problems.map(\.byteOffset) == places)
  }

  @Test func sentencesAreCountedByType() {
    let bodies = [
      SampleSentences.rmc("101112"), SampleSentences.gga("101112"), SampleSentences.rmc("101113"), "GPXYZ,1",
    ]
    let text = bodies.map { sentence($0) }.joined() + sentence("AIVDM,1", mark: "!")
    var decoder = NMEADecoder()
    _ = decoder.decodeAll(Array(text.utf8))
    #expect(decoder.statistics.byType == ["RMC": 2, "GGA": 1])
    #expect(decoder.statistics.unsupportedSentences == 1)
    #expect(decoder.statistics.encapsulated == 1)
    #expect(decoder.statistics.sentences == 5)
  }
}

extension String {
  fileprivate var lowercasedChecksum: String {
    let parts = split(separator: "*")
    return parts.count == 2 ? "\(parts[0])*\(parts[1].lowercased())" : self
  }

  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
