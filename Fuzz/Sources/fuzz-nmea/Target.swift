public import FuzzSupport
import WhereaboutsFormats

/// Everything that there is to read and to give.
private let everything: NMEADecoder.Options = {
  var options = NMEADecoder.Options()
  options.endsEpochsEarly = true
  options.emitsSatellites = true
  options.acceptsMissingChecksums = true
  return options
}()

/// Reads bytes as NMEA 0183, as a recording is read and with everything on that can be.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    let batch = readHoweverCut(input) { NMEADecoder() }
    expectValidElements(batch.elements)
    expectRoundTrips(batch.elements)
    expectValidElements(readHoweverCut(input) { NMEADecoder(options: everything) }.elements)
  }
}

/// The entry point of the program.
@_cdecl("fuzz_nmea_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}
