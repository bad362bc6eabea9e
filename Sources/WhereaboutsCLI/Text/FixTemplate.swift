import WhereaboutsModel
import WhereaboutsGeodesy

/// A template for the text of a fix: `{time} {lat} {lon}`.
///
/// Placeholders have the names of the JSON keys (``Fix/CodingKeys``). `{lat:4}` requests four decimals. Absent values
/// are written as `-`. `\n`, `\t` and `\\` have their usual meaning, and `{{` and `}}` are braces.
struct FixTemplate: Hashable, Sendable {
  /// An error in the text of a template.
  enum ParseError: Error, Hashable {
    case unknownPlaceholder(String)
    case unclosedBrace
    case strayBrace
    case unknownEscape(Character)
    case badPlaces(String)
  }

  private enum Piece: Hashable, Sendable {
    case text([UInt8])
    case value(Fix.CodingKeys, places: Int?)
  }

  private var pieces: [Piece] = []

  /// Parses a template.
  init(_ text: String) throws(ParseError) {
    var literal: [UInt8] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(contentsOf: character.utf8)
      case "{":
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = []
        pieces.append(try Self.placeholder(&rest))
      case "}":
        throw .strayBrace
      case "\\":
        literal.append(try Self.escaped(rest.popFirst() ?? "\\"))
      default:
        literal.append(contentsOf: character.utf8)
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
  }

  private static func placeholder(_ rest: inout Substring) throws(ParseError) -> Piece {
    guard let end = rest.firstIndex(of: "}") else { throw .unclosedBrace }
    let content = rest[..<end]
    rest = rest[rest.index(after: end)...]
    let parts = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = Fix.CodingKeys(rawValue: String(parts[0])) else {
      throw .unknownPlaceholder(String(content))
    }
    guard parts.count == 2 else { return .value(key, places: nil) }
    guard let places = Int(parts[1]), (0...9).contains(places), key.isDecimal else {
      throw .badPlaces(String(content))
    }
    return .value(key, places: places)
  }

  private static func escaped(_ character: Character) throws(ParseError) -> UInt8 {
    switch character {
    case "n": UInt8(ascii: "\n")
    case "t": UInt8(ascii: "\t")
    case "\\": UInt8(ascii: "\\")
    default: throw .unknownEscape(character)
    }
  }

  /// Appends the text for a fix, without a line end.
  func render(_ fix: Fix, into bytes: inout [UInt8]) {
    for piece in pieces {
      switch piece {
      case .text(let text): bytes.append(contentsOf: text)
      case .value(let key, let places): bytes.appendText(fix.text(of: key, places: places))
      }
    }
  }
}

extension FixTemplate.ParseError {
  /// The names of all placeholders, for messages and help.
  static let placeholders = Fix.CodingKeys.allCases.map(\.rawValue).joined(separator: " ")

  /// A description of the error for the user.
  var explanation: String {
    switch self {
    case .unknownPlaceholder(let name): "there is no placeholder {\(name)}; there are: \(Self.placeholders)"
    case .unclosedBrace: "a { is not closed ({{ is a brace)"
    case .strayBrace: "a } closes nothing (}} is a brace)"
    case .unknownEscape(let character): "there is no \\\(character); there are \\n, \\t and \\\\"
    case .badPlaces(let content):
      "{\(content)}: after the colon of a number stand the places after its point, 0 to 9"
    }
  }
}

extension Fix.CodingKeys {
  /// The default number of decimals; `nil` for values without decimals.
  var defaultPlaces: Int? {
    switch self {
    case .latitude, .longitude: 7
    case .horizontalAccuracy, .verticalAccuracy, .heightAboveGeoid, .heightAboveEllipsoid: 2
    case .speed, .speedAccuracy, .climb: 2
    case .course, .courseAccuracy: 1
    case .horizontalDilution, .verticalDilution, .positionDilution: 2
    case .time, .isAccuracyEstimated, .mode, .solution, .satellitesUsed, .satellitesInView, .source,
      .isSimulated:
      nil
    }
  }

  /// Whether the placeholder accepts a number of decimals.
  var isDecimal: Bool { defaultPlaces != nil }
}

extension Fix {
  /// Returns one value of the fix as text; `-` if absent.
  func text(of key: CodingKeys, places: Int? = nil) -> String {
    if let places = places ?? key.defaultPlaces { return number(of: key)?.fixed(places) ?? "-" }
    return word(of: key) ?? "-"
  }

  private func number(of key: CodingKeys) -> Double? {
    switch key {
    case .latitude: coordinate.latitude
    case .longitude: coordinate.longitude
    case .horizontalAccuracy: horizontalAccuracy
    case .verticalAccuracy: verticalAccuracy
    case .heightAboveGeoid: heightAboveGeoid
    case .heightAboveEllipsoid: heightAboveEllipsoid
    case .speed: speed
    case .speedAccuracy: speedAccuracy
    case .course: course
    case .courseAccuracy: courseAccuracy
    case .climb: climb
    case .horizontalDilution: horizontalDilution.map(Double.init)
    case .verticalDilution: verticalDilution.map(Double.init)
    case .positionDilution: positionDilution.map(Double.init)
    case .time, .isAccuracyEstimated, .mode, .solution, .satellitesUsed, .satellitesInView, .source,
      .isSimulated:
      nil
    }
  }

  private func word(of key: CodingKeys) -> String? {
    switch key {
    case .time: time?.iso8601
    case .isAccuracyEstimated: isAccuracyEstimated ? "estimated" : "stated"
    case .mode: mode.map { "\($0.rawValue)" }
    case .solution: solution?.rawValue
    case .satellitesUsed: satellitesUsed.map { "\($0)" }
    case .satellitesInView: satellitesInView.map { "\($0)" }
    case .source: source.rawValue
    case .isSimulated: isSimulated ? "simulated" : "measured"
    default: nil
    }
  }
}
