import Testing
import WhereaboutsCore
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// What stands between and around sentences. Each stream holds three good sentences of three instants.
@Suite struct FramingTests {
  private static let first = sentence(Given.rmc("101112"))
  private static let second = sentence(Given.rmc("101113"))
  private static let third = sentence(Given.rmc("101114"))

  struct Nasty: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var problems: [InputProblem.Kind: Int] = [:]
    var fixes = 3
    var testDescription: String { name }
  }

  private static func nasty(
    _ name: String, _ between: String, _ problems: [InputProblem.Kind: Int] = [:], fixes: Int = 3
  ) -> Nasty {
    Nasty(name: name, text: first + between + second + third, problems: problems, fixes: fixes)
  }

  static let nasties: [Nasty] = [
    nasty("nothing", ""),
    nasty("empty lines", "\r\n\n\r\n  \t\r\n"),
    nasty("NULs", "\0\0\0\0"),
    nasty("a comment", "# GPRMC $ ! \\ anything\n"),
    nasty("an AIS report", sentence("AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0", mark: "!")),
    nasty("an AIS report with a wrong checksum", "!AIVDM,1,1,,A,14eG,0*00\r\n", [.wrongChecksum: 1]),
    nasty("a tag block", "\\s:r003669930,c:1120959341*0D\\"),
    nasty("a tag block on a line of its own", "\\g:1-2-1234*56\\\r\n"),
    nasty("a tag block that does not end", "\\s:r003669930,c:1120959341\r\n", [.garbage: 1]),
    nasty("a doubled mark", "$", [.garbage: 1]),
    nasty("a tripled mark", "$$", [.garbage: 1]),
    nasty("a line of garbage", "hello, world\r\n", [.garbage: 1]),
    nasty("garbage before a sentence", "\u{7F}\u{1}xyz", [.garbage: 1]),
    nasty("two lines of garbage", "one\ntwo\n", [.garbage: 2]),
    nasty("bytes of a binary protocol", "\u{B5}b\u{1}\u{7}$\u{3}!\u{4}*\u{5}\n", [.garbage: 1]),
    nasty("a wrong checksum", "$" + Given.rmc("101112.5") + "*00\r\n", [.wrongChecksum: 1]),
    nasty("a checksum in lower case", sentence(Given.rmc("101112.5")).lowercasedChecksum, fixes: 4),
    nasty("no checksum", "$" + Given.rmc("101112.5") + "\r\n", [.missing: 1]),
    nasty("no hexadecimal digits after the star", "$" + Given.rmc("101112.5") + "*\r\n", [.malformed: 1]),
    nasty("one hexadecimal digit after the star", "$" + Given.rmc("101112.5") + "*5\r\n", [.malformed: 1]),
    nasty("a sentence cut off by the next", "$GPRMC,101112.5,A,4730.0", [.truncated: 1]),
    nasty("a mark and an address cut off by the next", "$GPR", [.truncated: 1]),
    nasty("a line cut off", "$GPRMC,101112.5,A,4730.0\r\n", [.missing: 1]),
    nasty("a sentence of 600 bytes", sentence("GPTXT," + String(repeating: "x", count: 590)), [.tooLong: 1]),
    nasty("a sentence of 500 bytes", sentence("GPTXT," + String(repeating: "x", count: 490))),
    nasty("a kilobyte without a line end", String(repeating: "x", count: 1024), [.garbage: 1]),
    nasty("spaces and pluses inside a sentence", sentence("GPTXT,01,01,02,a b + c")),
    nasty("a strange address with a right checksum", sentence("--A,1,2")),
    nasty("an unknown sentence", sentence("GPXYZ,1,2,3")),
    nasty("an unknown maker's sentence", sentence("PXYZ,1,2,3")),
    nasty("a maker's sentence that ends like an RMC", sentence("PGRMC,A,218.8,100,6378137.000")),
    nasty("sentences without line ends", sentence(Given.rmc("101112.5"), end: ""), fixes: 4),
    nasty("text after a checksum", "then\r\n", [.garbage: 1]),
    Nasty(name: "line feeds alone", text: [first, second, third].joined().replacing("\r\n", with: "\n")),
    Nasty(
      name: "carriage returns alone", text: [first, second, third].joined().replacing("\r\n", with: "\r")),
    Nasty(name: "line feed first", text: [first, second, third].joined().replacing("\r\n", with: "\n\r")),
    Nasty(name: "a byte order mark", text: "\u{FEFF}" + first + second + third),
    Nasty(name: "no line end at the end", text: first + second + sentence(Given.rmc("101114"), end: "")),
    Nasty(
      name: "cut off at the end", text: first + second + String(third.dropLast(5)), problems: [.truncated: 1],
      fixes: 2),
    Nasty(
      name: "cut off in the checksum", text: first + second + String(third.dropLast(2)).dropLast(),
      problems: [.truncated: 1], fixes: 2),
    Nasty(name: "a tag block at the end", text: first + second + third + "\\c:1", problems: [.garbage: 1]),
    Nasty(
      name: "a time stamp before each sentence", text: "12:00 \(first)12:01 \(second)12:02 \(third)",
      problems: [.garbage: 3]),
  ]

  @Test(arguments: nasties) func goodSentencesSurvive(_ nasty: Nasty) {
    let bytes = Array(nasty.text.utf8)
    var decoder = NMEADecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.fixes.count == nasty.fixes)
    #expect(batch.problems.counts == nasty.problems)
    expectTheSameHoweverCut(bytes, splits: 4) { NMEADecoder() }
  }

  @Test(arguments: nasties) func anyCutInTwoMakesNoDifference(_ nasty: Nasty) {
    let bytes = Array(nasty.text.utf8)
    let whole = decode(bytes, by: NMEADecoder(), inPiecesOf: [])
    // Long runs of one byte are cut once.
    for cut in stride(from: 0, to: bytes.count, by: bytes.count > 500 ? 7 : 1) {
      let halves = decode(bytes, by: NMEADecoder(), inPiecesOf: [cut])
      #expect(halves.elements == whole.elements, "cut at \(cut)")
      #expect(halves.problems == whole.problems, "cut at \(cut)")
    }
  }

  @Test func checksumsMayBeMissingWhereThatIsWanted() {
    var options = NMEADecoder.Options()
    options.acceptsMissingChecksums = true
    let text = "$\(Given.rmc("101112"))\r\n$\(Given.rmc("101113"))\n$GPXYZ\n" + Self.third
    let batch = decodeNMEA(text, options: options)
    #expect(batch.fixes.count == 3)
    #expect(batch.problems.total == 0)
  }

  @Test func problemsSayWhereTheyAre() {
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
    let bodies = [Given.rmc("101112"), Given.gga("101112"), Given.rmc("101113"), "GPXYZ,1"]
    let text = bodies.map { sentence($0) }.joined() + sentence("AIVDM,1", mark: "!")
    var decoder = NMEADecoder()
    _ = decoder.decodeAll(Array(text.utf8))
    #expect(decoder.statistics.byType == ["RMC": 2, "GGA": 1])
    #expect(decoder.statistics.unread == 1)
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
