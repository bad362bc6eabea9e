import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel

/// A decoder of many fences' stored texts.
///
/// Most fences are circles, and share their terms with others. Their texts are read without a general decoder, which
/// needs ten times as long; every other text is passed to the general decoder.
struct FenceTextDecoder {
  /// The terms by their text.
  private var terms: [String: FenceTerms] = [:]

  /// Returns the fence of a text.
  mutating func fence(_ text: String) throws -> Fence {
    try circle(text) ?? StoreJSON.decode(Fence.self, from: text)
  }

  /// Returns the fence of the text of a circle without properties; `nil` for another text, and for texts with escapes.
  private mutating func circle(_ text: String) -> Fence? {
    var text = text
    return text.withUTF8 { bytes in
      // The keys are sorted, so the terms are last.
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      guard scanner.accept("{"),
        scanner.accept(key: "area"), let area = scanner.circle(), scanner.accept(","),
        scanner.accept(key: "id"), let id = scanner.plainText(), scanner.accept(",")
      else { return nil }
      var name: String?
      if scanner.accept(key: "name") {
        name = scanner.plainText()
        guard name != nil, scanner.accept(",") else { return nil }
      }
      guard scanner.accept(key: "terms"), bytes.last == UInt8(ascii: "}"),
        let terms = terms(bytes[scanner.position...].dropLast())
      else { return nil }
      return Fence(id: FenceID(id), area: area, terms: terms, name: name)
    }
  }

  private mutating func terms(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> FenceTerms? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let known = terms[text] { return known }
    guard let read = try? StoreJSON.decode(FenceTerms.self, from: text) else { return nil }
    terms[text] = read
    return read
  }
}

extension JSONScanner {
  /// Steps over a member's name and its colon; stays in front of another name.
  fileprivate mutating func accept(key name: StaticString) -> Bool {
    let start = position
    if let key = key(), UnsafeRawBufferPointer(rebasing: bytes[key.range]).equals(name) { return true }
    position = start
    return false
  }

  /// Reads the object of a circle.
  fileprivate mutating func circle() -> Area? {
    guard accept("{"), accept(key: "coordinates"), accept("["), let longitude = double(), accept(","),
      let latitude = double(), accept("]"), accept(","),
      accept(key: "radius"), let radius = double(), accept(","),
      accept(key: "type"), plainText() == "Point", accept("}"),
      let center = Coordinate(latitude: latitude, longitude: longitude),
      let circle = try? Area.Circle(center: center, radius: radius)
    else { return nil }
    return .circle(circle)
  }

  private mutating func double() -> Double? {
    guard peek() != nil, let digits = number() else { return nil }
    return double(digits)
  }

  /// Reads a string without escapes.
  fileprivate mutating func plainText() -> String? {
    guard peek() == UInt8(ascii: "\""), let text = string(), !text.hasEscapes else { return nil }
    return decoded(text)
  }
}
