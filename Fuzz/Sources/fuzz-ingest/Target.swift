public import FuzzSupport
import WhereaboutsFormats

/// Reads bytes as fixes in our own forms.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { expectSoundReports($0, as: .whereabouts) }
}

/// The entry point of the program.
@_cdecl("fuzz_ingest_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}
