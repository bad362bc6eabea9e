/// A sentence with its checksum and line end, from what stands between `$` and `*`.
func sentence(_ body: String, mark: Character = "$") -> String {
  let sum = body.utf8.reduce(0 as UInt8, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "\(mark)\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
}
