import WhereaboutsModel

/// The properties of a fence in a file: its terms, and the owner's own data.
struct FenceProperties {
  /// Every other member.
  private(set) var otherProperties: [String: WhereaboutsModel.JSONValue] = [:]
  private(set) var name: String?
  /// The member `id`, used if the feature itself has none, and its offset. The member stays in ``otherProperties``.
  private(set) var id: (text: String, offset: Int)?

  private let extent: FenceShape.Extent
  private var termsReader = FenceTermsReader()

  init(extent: FenceShape.Extent) { self.extent = extent }

  /// Returns the terms that are stated, and the usual ones.
  func terms() throws(FenceParseError) -> FenceTerms { try termsReader.terms() }

  /// Returns the radius or width, and where it stands; `nil` where none is stated.
  func extentInMetres() throws(FenceParseError) -> (metres: Double, offset: Int)? {
    switch extent {
    case .none: nil
    case .radius: try termsReader.number("radius")
    case .width: try termsReader.number("width")
    }
  }

  /// Reads the members of a well-formed JSON object.
  mutating func read(_ scanner: JSONScanner) throws(FenceParseError) {
    var walk = scanner
    guard walk.accept("{") else {
      throw FenceParseError(.malformed, at: scanner.position, "properties is no object")
    }
    guard !walk.accept("}") else { return }
    repeat {
      guard let key = walk.key() else { return }
      _ = walk.peek()
      let start = walk.position
      guard let value = walk.value(depth: 0) else {
        throw FenceParseError(.malformed, at: start, "properties nested more than 64 deep")
      }
      add(walk.decoded(key), value, at: start)
    } while walk.accept(",")
    applyUTCOffset()
  }

  /// Applies the UTC offset once all members are known.
  mutating func applyUTCOffset() { termsReader.applyUTCOffset(&otherProperties) }

  /// Adds a member of a format that has only texts; an unreadable term is refused.
  mutating func add(_ member: String, text: String, at offset: Int) {
    guard isTerm(member) else { return add(member, .text(text), at: offset) }
    let value: ExactJSON? =
      switch text {
      case "": nil
      case _ where text.split(whereSeparator: \.isWhitespace).joined(separator: "") == "[]": .array([])
      case "true": .flag(true)
      case "false": .flag(false)
      default: Decimal.parse(text) == nil ? .text(text) : .number(text)
      }
    if let value { add(member, value, at: offset) }
  }

  /// Adds a member; of two with one name the first counts.
  mutating func add(_ member: String, _ value: ExactJSON, at offset: Int) {
    if isTerm(member) {
      termsReader.add(member, value, at: offset)
      // Used only with active hours; without them, the member may be the owner's own.
      guard FenceTermsReader.clockNames.contains(member) else { return }
    }
    if member == "name", case .text(let text) = value {
      if name == nil, otherProperties["name"] == nil { name = text }
      return
    }
    if member == "id", id == nil, let text = value.idText { id = (text, offset) }
    if otherProperties[member] == nil, !(member == "name" && name != nil) {
      otherProperties[member] = value.jsonValue
    }
  }

  private func isTerm(_ member: String) -> Bool {
    switch extent {
    case .radius where member == "radius": true
    case .width where member == "width": true
    default: FenceTermsReader.names.contains(member)
    }
  }
}

extension ExactJSON {
  /// The value with its numbers as `Double`; a number that is none, or too large for one, is `null`.
  var jsonValue: WhereaboutsModel.JSONValue {
    switch self {
    case .null: .null
    case .flag(let flag): .bool(flag)
    case .number(let digits): Decimal.parse(digits).map { .number($0) } ?? .null
    case .text(let text): .string(text)
    case .array(let values): .array(values.map(\.jsonValue))
    case .object(let fields):
      .object(
        Dictionary(
          fields.members.map { ($0.name, $0.value.jsonValue) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The text that a fence can be called by; `nil` where it is no such thing.
  fileprivate var idText: String? {
    switch self {
    case .text(let text): text.isEmpty ? nil : text
    case .number(let digits): digits
    case .null, .flag, .array, .object: nil
    }
  }
}

extension Decimal {
  /// Returns the number that a text states, as ``parse(_:)-(UnsafeRawBufferPointer)``.
  static func parse(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }
}
