public import FuzzSupport
import WhereaboutsFormats

/// Reads bytes as a CSV track.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    let batch = readHoweverCut(input) { CSVDecoder() }
    expectValidElements(batch.elements)
    expectRoundTrips(batch.elements)
  }
}

/// The entry point of the program.
@_cdecl("fuzz_csv_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}
