public import FuzzSupport
import WhereaboutsModel
import WhereaboutsFormats

/// Reads bytes as fences in every format, writes what could be read and reads it back.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(start, count) { input in
    let file = FenceReader(defaultRadius: 50, defaultWidth: 50).read(input)
    expectPlausible(file, in: input)
    let exact = FenceReader().read(FenceWriter(style: .exact).write(file.fences))
    guard exact.fences == file.fences, exact.problems.isEmpty else {
      fatalError("fences come back as others:\n\(file.fences)\nand\n\(exact.fences)\n\(exact.problems)")
    }
    // Its rings may be cut and have more corners, so that only what is not its shape is the same.
    let forMaps = FenceReader().read(FenceWriter().write(file.fences))
    guard forMaps.fences.count + forMaps.problems.count == file.fences.count else {
      fatalError("of \(file.fences.count) fences \(forMaps.fences.count) come back")
    }
  }
}

/// The entry point of the program.
@_cdecl("fuzz_fences_main")
public func main(_ count: CInt, _ arguments: CArguments?) -> CInt {
  runFuzzer(count, arguments, testOneInput)
}

/// Every problem stands somewhere in the input, and every fence has an id of its own.
private func expectPlausible(_ file: FenceFile, in input: [UInt8]) {
  let lines = 1 + input.count { $0 == 0x0A }
  for problem in file.problems {
    guard (0...input.count).contains(problem.byteOffset), (1...lines).contains(problem.line),
      (1...input.count + 1).contains(problem.column)
    else { fatalError("a problem that is nowhere in the input: \(problem)") }
  }
  guard Set(file.fences.map(\.id)).count == file.fences.count else {
    fatalError("an id twice: \(file.fences)")
  }
}
