/// The function that libFuzzer calls with each input; the result is 0, or -1 for an input that is not to be kept.
public typealias FuzzFunction = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// The arguments of a C program.
public typealias CArguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<CArguments?>, _ each: FuzzFunction
) -> CInt

/// Runs libFuzzer's loop with a program's arguments until it is told to end or finds something.
public func runFuzzer(_ count: CInt, _ arguments: CArguments?, _ each: FuzzFunction) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments, each)
}

/// Longer inputs are not tried: what they find is as well found by shorter ones, and those are tried more often.
private let longestInput = 1 << 17

/// Hands an input over as an array; its storage is the input's size, so that reading past its end is seen by the
/// address sanitizer.
public func withInput(_ start: UnsafePointer<UInt8>?, _ count: Int, _ body: ([UInt8]) -> Void) -> CInt {
  guard count <= longestInput else { return -1 }
  body(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
