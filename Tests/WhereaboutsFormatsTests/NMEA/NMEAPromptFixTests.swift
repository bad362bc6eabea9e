import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// The time at which a live receiver's fix is delivered.
@Suite struct NMEAPromptFixTests {
  private static let promptOptions: NMEADecoder.Options = {
    var options = NMEADecoder.Options()
    options.endsEpochsEarly = true
    return options
  }()

  /// After which sentence each fix is given, by its index.
  private func sentenceIndexesOfFixes(_ bodies: [String], options: NMEADecoder.Options = Self.promptOptions)
    -> [Int]
  {
    var decoder = NMEADecoder(options: options)
    var batch = RecordingBatch()
    var moments: [Int] = []
    for (index, body) in bodies.enumerated() {
      decoder.decode(Array(sentence(body).utf8), into: &batch)
      moments += batch.fixes.map { _ in index }
      batch.removeAll()
    }
    return moments
  }

  private func cycle(_ second: Int) -> [String] {
    let time = "1011\(second)"
    return [
      SampleSentences.rmc(time), SampleSentences.gga(time), SampleSentences.gsa("3"),
      "GPGSV,1,1,01,09,40,100,30",
    ]
  }

  @Test func cycleEndIsLearnedInTwoCycles() {
    // The first two fixes wait for the next instant; then GSA is known to come last (GSV does not count).
    #expect(sentenceIndexesOfFixes((10...14).flatMap(cycle)) == [4, 8, 10, 14, 18])
  }

  @Test func fixWaitsForTheNextEpochWithoutPromptOption() {
    #expect(sentenceIndexesOfFixes((10...13).flatMap(cycle), options: .init()) == [4, 8, 12])
  }

  @Test func epochIsEmittedOnceWhenMoreSentencesFollow() {
    var bodies = (10...12).flatMap(cycle)
    bodies += [
      SampleSentences.rmc("101113"), SampleSentences.gga("101113"), SampleSentences.gsa("3"),
      "GPVTG,91.0,T,,M,11.0,N,20.4,K,A",
    ]
    bodies += [
      SampleSentences.rmc("101114"), SampleSentences.gga("101114"), SampleSentences.gsa("3"),
      "GPVTG,91.0,T,,M,11.0,N,20.4,K,A",
    ]
    bodies += [SampleSentences.rmc("101115")]
    // After the surprise the fix of the 14th second waits again.
    #expect(sentenceIndexesOfFixes(bodies) == [4, 8, 10, 14, 20])
  }

  @Test func repeatedSentenceTypeIsASeparateCycleEnd() {
    let cycles = (10...13).map { ["1011\($0)"] }.flatMap { time in
      [
        SampleSentences.rmc(time[0]), SampleSentences.gsa("3", talker: "GN"),
        SampleSentences.gsa("3", talker: "GN"),
      ]
    }
    #expect(sentenceIndexesOfFixes(cycles) == [3, 6, 8, 11])
  }

  /// A live receiver without RMC, which is silent between its cycles.
  @Test(arguments: [true, false], [true, false])
  func silenceShowsWhetherVTGIsFirst(isFirst: Bool, hasPromptOption: Bool) {
    var decoder = NMEADecoder(options: hasPromptOption ? Self.promptOptions : .init())
    var batch = RecordingBatch()
    // The program starts within a cycle.
    decoder.decode(Array(sentence(SampleSentences.gsa("3")).utf8), into: &batch)
    for second in 10...20 {
      let vtg = sentence("GPVTG,\(90 + second).0,T,,M,\(second).0,N,,K,A")
      let gga = sentence(SampleSentences.gga("1011\(second)"))
      let gsa = sentence(SampleSentences.gsa("3"))
      let cycle = isFirst ? vtg + gga + gsa : gga + gsa + vtg
      decoder.decode(Array(cycle.utf8), into: &batch)
      if decoder.hasPendingOutput { decoder.flush(into: &batch) }
      #expect(batch.fixes.last?.course == 90 + Double(second), "\(second)")
    }
    decoder.finish(into: &batch)
    let courses: [Double?] = (10...20).map { 90 + Double($0) }
    #expect(batch.fixes.map(\.course) == courses)
  }

  @Test func flushEmitsTheOpenEpochOnce() {
    var decoder = NMEADecoder()
    var batch = RecordingBatch()
    decoder.decode(Array(sentence(SampleSentences.rmc("101112")).utf8), into: &batch)
    #expect(batch.fixes.isEmpty)
    decoder.flush(into: &batch)
    #expect(batch.fixes.count == 1)
    decoder.flush(into: &batch)
    decoder.decode(Array(sentence(SampleSentences.gga("101112")).utf8), into: &batch)
    #expect(batch.fixes.count == 1)
    decoder.decode(Array(sentence(SampleSentences.rmc("101113")).utf8), into: &batch)
    decoder.finish(into: &batch)
    #expect(batch.fixes.count == 2)
  }

  /// Each fix of a recording is the same, early or late, if the receiver keeps to its cycle.
  @Test func promptFixesEqualDelayedFixes() {
    let bodies = (10...40).flatMap { cycle($0).dropLast() }
    #expect(decodeSentences(bodies, options: Self.promptOptions).fixes == decodeSentences(bodies).fixes)
  }
}
