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

  /// Returns the fence of the text of a circle without properties; `nil` for another text.
  private mutating func circle(_ text: String) -> Fence? {
    var text = text
    return text.withUTF8 { bytes in
      // The keys are sorted, so the terms are last.
      guard let end = Self.lastTermsKey(in: bytes), bytes.last == UInt8(ascii: "}"),
        let fields = Self.head(bytes[..<end]), let area = Self.circle(fields),
        case .text(let id)? = fields["id"],
        let terms = terms(bytes[(end + Self.termsKey.count)...].dropLast())
      else { return nil }
      switch fields["name"] {
      case .text(let name)? where fields.members.count == 3:
        return Fence(id: FenceID(id), area: area, terms: terms, name: name)
      case nil where fields.members.count == 2: return Fence(id: FenceID(id), area: area, terms: terms)
      default: return nil
      }
    }
  }

  private static let termsKey = Array(",\"terms\":".utf8)

  /// Returns the index of the last key of terms. A text can't hold it, since it would escape the quotation mark.
  private static func lastTermsKey(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var start = bytes.count - termsKey.count
    while start >= 0 {
      if bytes[start] == termsKey[0], bytes[start..<(start + termsKey.count)].elementsEqual(termsKey) {
        return start
      }
      start -= 1
    }
    return nil
  }

  /// Returns the members before the terms; `nil` if a text among them has escapes.
  private static func head(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> JSONFields? {
    guard !bytes.contains(UInt8(ascii: "\\")) else { return nil }
    return (Array(bytes) + [UInt8(ascii: "}")]).withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      return scanner.wholeObject()
    }
  }

  private static func circle(_ fields: JSONFields) -> Area? {
    guard case .object(let area)? = fields["area"], area.members.count == 3,
      case .text("Point")? = area["type"],
      case .array(let position)? = area["coordinates"], position.count == 2,
      let longitude = number(position[0]), let latitude = number(position[1]),
      let center = Coordinate(latitude: latitude, longitude: longitude),
      let radius = area["radius"].flatMap(number),
      let circle = try? Area.Circle(center: center, radius: radius)
    else { return nil }
    return .circle(circle)
  }

  private static func number(_ value: ExactJSON) -> Double? {
    guard case .number(let digits) = value else { return nil }
    return Double(digits)
  }

  private mutating func terms(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> FenceTerms? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let known = terms[text] { return known }
    guard let read = try? StoreJSON.decode(FenceTerms.self, from: text) else { return nil }
    terms[text] = read
    return read
  }
}
