public import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A template for the text of a fix: `{time} {lat} {lon}`.
///
/// Placeholders have the names of the JSON keys (`Fix.CodingKeys`). `{lat:4}` requests four decimals. Absent values
/// are written as `-`. `\n`, `\t` and `\\` have their usual meaning, and `{{` and `}}` are braces.
public struct FixTemplate: Hashable, Sendable {
  /// An error in the text of a template.
  public enum ParseError: Error, Hashable {
    /// A placeholder has an unknown name.
    case unknownPlaceholder(String)
    /// An opening brace is not closed.
    case unclosedBrace
    /// A closing brace closes nothing.
    case strayBrace
    /// An unknown character follows a backslash.
    case unknownEscape(Character)
    /// The number of decimals is invalid, or the value has none.
    case badPlaces(String)
  }

  private enum Piece: Hashable, Sendable {
    case text([UInt8])
    case value(FixMember, places: Int?)
  }

  private var pieces: [Piece] = []

  /// Parses a template.
  ///
  /// - Parameter text: the text of the template.
  /// - Throws: an error that names the invalid part.
  public init(_ text: String) throws(ParseError) {
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
    guard let member = FixMember.all.first(where: { $0.key.rawValue == parts[0] }) else {
      throw .unknownPlaceholder(String(content))
    }
    guard parts.count == 2 else { return .value(member, places: member.places) }
    guard let places = Int(parts[1]), (0...9).contains(places), member.places != nil else {
      throw .badPlaces(String(content))
    }
    return .value(member, places: places)
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
  ///
  /// - Parameters:
  ///   - fix: the fix.
  ///   - bytes: the UTF-8 text so far.
  public func render(_ fix: Fix, into bytes: inout [UInt8]) {
    for piece in pieces {
      switch piece {
      case .text(let text): bytes.append(contentsOf: text)
      case .value(let member, let places): bytes.appendText(fix.text(of: member, places: places ?? 0))
      }
    }
  }
}

extension FixTemplate.ParseError {
  /// The names of all placeholders, for messages and help.
  package static let placeholders = Fix.CodingKeys.allCases.map(\.rawValue).joined(separator: " ")

  /// A description of the error for the user.
  public var explanation: String {
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

extension Fix {
  /// Returns one value of the fix as text; `-` if absent.
  ///
  /// - Parameter places: the number of decimals, if the value has decimals.
  fileprivate func text(of member: FixMember, places: Int) -> String {
    let text: String? =
      switch member.property {
      case .time: time?.iso8601
      case .latitude: coordinate.latitude.fixed(places)
      case .longitude: coordinate.longitude.fixed(places)
      case .double(let property): property.value(in: self)?.fixed(places)
      case .float(let property): property.value(in: self).map { Double($0).fixed(places) }
      case .count(let property): property.value(in: self).map { "\($0)" }
      case .whole(let property): property.value(in: self).map { "\($0)" }
      case .flag(let property): property.value(in: self) ? member.key.rawValue : member.key.oppositeText
      case .mode: mode.map { "\($0.rawValue)" }
      case .solution: solution?.rawValue
      case .activity: activity?.rawValue
      case .source: source.rawValue
      }
    return text ?? "-"
  }
}

extension Fix.CodingKeys {
  /// The word for a flag that is not set.
  fileprivate var oppositeText: String { self == .isAccuracyEstimated ? "stated" : "measured" }
}
