import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Arbitrary input never traps, chunking has no effect, and all output is in range.
@Suite struct NMEADamageTests {
  private static let allOptions: NMEADecoder.Options = {
    var options = NMEADecoder.Options()
    options.emitsSatellites = true
    options.acceptsMissingChecksums = true
    return options
  }()

  /// One of each sentence, over several instants, with things between them.
  private static let validRecording: [UInt8] = {
    var text = "# a recording\r\n"
    for second in 10...13 {
      let time = "1011\(second).50"
      let bodies = [
        SampleSentences.rmc(time), SampleSentences.gga(time), SampleSentences.gll(time),
        "GPVTG,91.0,T,,M,11.0,N,20.4,K,A", SampleSentences.gsa("3"),
        "GPGSV,2,1,05,01,10,100,40,02,20,200,,03,30,300,30,40,40,040,35", "GPGSV,2,2,05,05,50,359,20",
        "GPGST,\(time),1.0,2.0,1.5,45.0,1.8,1.7,3.0", "GPGBS,\(time),1.0,1.0,2.0,,,,",
        "GPZDA,\(time),01,02,2024,00,00",
        "GNGNS,\(time),\(SampleSentences.place),AAN,12,0.9,400.0,48.0,,", "HEHDT,123.4,T",
        "HCHDG,100.0,2.0,E,3.0,W",
        "HCHDM,99.0,M",
        "TIROT,1.0,A", "PGRME,3.0,M,4.0,M,5.0,M", "INTHS,10.0,A",
        "PUBX,00,\(time),\(SampleSentences.place),448.0,G3,2.0,3.0,0.0,0.0,0.0,,0.9,1.5,1.0,8,0,0",
        "PUBX,04,\(time),010224,381084.0,2299,18,1930035,-2660.664,43",
      ]
      text +=
        bodies.map { sentence($0) }.joined() + "\\c:1*00\\" + sentence("AIVDM,1,1,,A,14e,0", mark: "!")
        + "noise $ \r\n"
    }
    return Array(text.utf8)
  }()

  private func expectValidElements(_ batch: RecordingBatch, _ comment: String) {
    for element in batch.elements {
      switch element {
      case .fix(let fix):
        #expect(abs(fix.coordinate.latitude) <= 90 && abs(fix.coordinate.longitude) <= 180, "\(comment)")
        #expect(fix.horizontalAccuracy ?? 1 > 0 && fix.verticalAccuracy ?? 1 > 0, "\(comment)")
        #expect(fix.speed ?? 0 >= 0, "\(comment)")
        #expect((0..<360).contains(fix.course ?? 0), "\(comment)")
      case .heading(let heading):
        #expect((0..<360).contains(heading.degrees), "\(comment)")
      case .satellites, .trackBegan, .segmentBegan, .waypoint, .routeBegan, .routePoint, .deviceBegan, .visit,
        .offset:
        break
      }
    }
  }

  @Test func validRecordingIsDecoded() {
    var decoder = NMEADecoder(options: Self.allOptions)
    let batch = decoder.decodeAll(Self.validRecording)
    #expect(batch.fixes.count == 4)
    #expect(batch.problems.counts == [.garbage: 4])
    #expect(Set(decoder.statistics.byType.keys) == Set(SentenceKind.allCases.map(\.name)))
    expectSameResultForAnyChunking(Self.validRecording) { NMEADecoder(options: Self.allOptions) }
  }

  @Test(arguments: PropertyCases.seeds(20, of: 1...60 as ClosedRange<UInt64>))
  func damagedSentencesYieldOnlyValidElements(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let damaged = random.mutated(Self.validRecording)
    var decoder = NMEADecoder(options: Self.allOptions)
    expectValidElements(decoder.decodeAll(damaged), "seed \(seed)")
    expectSameResultForAnyChunking(damaged, seed: seed, splits: 2) { NMEADecoder(options: Self.allOptions) }
  }

  /// Fields changed, dropped and swapped, with checksums that are right: what reaches the readers of fields.
  @Test(arguments: PropertyCases.seeds(20, of: 1...60 as ClosedRange<UInt64>))
  func unexpectedFieldsYieldOnlyValidElements(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let values = [
      "", "-", ".", "99999999999999999999", "-0", "1e9", "A", "NN", "000000", "235960", "9000.0", "18000.0",
      "\u{0}", "+", "*", " ",
    ]
    var bodies = String(decoding: Self.validRecording, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix("$") }.map {
        $0.dropFirst().prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false)
      }
    for index in bodies.indices {
      for _ in 0..<Int.random(in: 0...3, using: &random) where bodies[index].count > 1 {
        let field = Int.random(in: 1..<bodies[index].count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bodies[index].remove(at: field)
        case 1: bodies[index].insert("7", at: field)
        default: bodies[index][field] = values.randomElement(using: &random).map { $0[...] } ?? ""
        }
      }
    }
    let text = bodies.map { sentence($0.joined(separator: ",")) }.joined()
    let batch = decodeNMEA(text, options: Self.allOptions)
    expectValidElements(batch, "seed \(seed)")
    expectSameResultForAnyChunking(Array(text.utf8), seed: seed, splits: 1) {
      NMEADecoder(options: Self.allOptions)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func noiseYieldsOnlyValidElements(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Half of them out of what sentences are made of, so that something gets through.
    let alphabet = Array("$$!*\\,,,.0123456789ABCGPRMNSVEW\r\n#".utf8)
    let bytes = (0..<2000).map { _ in
      seed % 2 == 0 ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random) ?? 0
    }
    expectSameResultForAnyChunking(bytes, seed: seed, splits: 3) { NMEADecoder(options: Self.allOptions) }
  }
}
