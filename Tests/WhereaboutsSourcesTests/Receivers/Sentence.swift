/// A sentence with its checksum and the end of its line.
func sentence(_ body: String) -> [UInt8] {
  let sum = body.utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
}

/// The sentences of one instant, in seconds after noon of 2026-06-01, as a simple receiver sends them.
func instant(_ second: Int, hasFix: Bool = true) -> [UInt8] {
  let text = String(120_000 + second / 60 * 100 + second % 60)
  let place = hasFix ? "4717.11437,N,00833.91522,E" : ",,,"
  return sentence("GPRMC,\(text).00,\(hasFix ? "A" : "V"),\(place),0.004,,010626,,,\(hasFix ? "A" : "N")")
    + sentence("GPGGA,\(text).00,\(place),\(hasFix ? "1,08,1.01,499.6,M,48.0,M,," : "0,00,99.99,,,,,,")")
}
