import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// A sentence with its checksum and line end, from what stands between `$` and `*`.
func sentence(_ body: String, mark: Character = "$", end: String = "\r\n") -> String {
  let sum = body.utf8.reduce(0 as UInt8, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "\(mark)\(body)*\(digits.count == 1 ? "0" : "")\(digits)\(end)"
}

/// Everything in some text.
func decodeNMEA(_ text: String, options: NMEADecoder.Options = .init()) -> RecordingBatch {
  var decoder = NMEADecoder(options: options)
  return decoder.decodeAll(Array(text.utf8))
}

/// Everything in some sentences, given without marks and checksums.
func decodeSentences(_ bodies: [String], options: NMEADecoder.Options = .init()) -> RecordingBatch {
  decodeNMEA(bodies.map { sentence($0) }.joined(), options: options)
}

/// Sentences with positions that differ only in what a test is about. The place is 47.5° N, 8.5° E.
enum SampleSentences {
  static let place = "4730.00000,N,00830.00000,E"

  static func rmc(
    _ time: String, status: String = "A", place: String = place, motion: String = "10.0,90.0",
    date: String = "010224",
    mode: String = "A"
  ) -> String {
    "GPRMC,\(time),\(status),\(place),\(motion),\(date),,,\(mode)"
  }

  static func gga(
    _ time: String, place: String = place, quality: String = "1", used: String = "08", hdop: String = "0.9",
    height: String = "400.0,M,48.0,M"
  ) -> String {
    "GPGGA,\(time),\(place),\(quality),\(used),\(hdop),\(height),,"
  }

  static func gll(_ time: String, status: String = "A", place: String = place, mode: String = "A") -> String {
    "GPGLL,\(place),\(time),\(status),\(mode)"
  }

  static func gsa(_ mode: String, talker: String = "GP", dilutions: String = "1.8,0.9,1.5") -> String {
    "\(talker)GSA,A,\(mode),01,02,03,04,,,,,,,,,\(dilutions)"
  }
}

extension RecordingBatch {
  /// The headings among the elements.
  var headings: [Heading] {
    elements.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
  }

  /// The views of the sky among the elements.
  var views: [SatellitesInView] {
    elements.compactMap { if case .satellites(let view) = $0 { view } else { nil } }
  }
}
