@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

/// Changes an input as libFuzzer does, and most of the time makes its checksums right again: otherwise nearly everything
/// would be refused before it is read.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateSentences(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: CUnsignedInt
) -> Int {
  let count = mutate(data, count, limit)
  if seed % 8 != 0 { repairChecksums(UnsafeMutableBufferPointer(start: data, count: count)) }
  return count
}

/// Writes the right digits after the star of each sentence that has room for two.
private func repairChecksums(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
  var start: Int?
  var sum: UInt8 = 0
  for index in bytes.indices {
    switch bytes[index] {
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      start = index
      sum = 0
    case UInt8(ascii: "*"):
      if start != nil, index + 2 < bytes.count, bytes[index + 1] > 0x20, bytes[index + 2] > 0x20 {
        bytes[index + 1] = hexadecimal(sum >> 4)
        bytes[index + 2] = hexadecimal(sum & 15)
      }
      start = nil
    case 0x0A, 0x0D: start = nil
    default: sum ^= bytes[index]
    }
  }
}

private func hexadecimal(_ nibble: UInt8) -> UInt8 {
  nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
}
