public import WhereaboutsModel

/// A problem in a file of fences, with its place.
public struct FenceFileProblem: Error, Hashable, Sendable {
  /// The kinds of problems.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file is something else: a recording, an archive, or unknown.
    case notFences = "not a file of fences"
    /// The text breaks the rules of its format.
    case malformed = "not well formed"
    /// The file ends before an element is complete.
    case truncated = "ends in the middle"
    /// The text is not in its declared encoding.
    case badEncoding = "bad text encoding"
    /// A fence lacks a required value.
    case missing = "something required is missing"
    /// The geometry has no area of a fence.
    case unsupported = "no area"
    /// A coordinate is no number, or a position is no place on Earth.
    case badCoordinate = "bad coordinate"
    /// The geometry encloses no clear area: an open ring, or a ring that crosses itself.
    case badGeometry = "bad geometry"
    /// A property has the wrong type, or a value out of range.
    case badValue = "bad value"
    /// Another fence of the file has the same id.
    case duplicate = "id given twice"
  }

  /// The kind of problem.
  public var kind: Kind
  /// The line of the problem, counted from 1.
  public var line: Int
  /// The problem's first character in its line, counted from 1.
  public var column: Int
  /// The problem's first byte in the file, counted from 0.
  public var byteOffset: Int
  /// The feature, placemark or waypoint with the problem, counted from 1; `nil` outside of any.
  public var feature: Int?
  /// The feature's stated id; `nil` if unstated.
  public var id: FenceID?
  /// The broken rule, as the end of "could not take …"; never a coordinate.
  public var detail: String

  /// Creates a problem at a place.
  public init(
    kind: Kind, line: Int, column: Int, byteOffset: Int, feature: Int? = nil, id: FenceID? = nil,
    detail: String
  ) {
    self.kind = kind
    self.line = line
    self.column = column
    self.byteOffset = byteOffset
    self.feature = feature
    self.id = id
    self.detail = detail
  }
}

extension FenceFileProblem: CustomStringConvertible {
  /// The place, the fence and the broken rule: `line 3, column 40: fence "home": radius is no number`.
  public var description: String {
    let place = "line \(line), column \(column): "
    if let id { return place + "fence \"\(id)\": " + detail }
    if let feature { return place + "feature \(feature): " + detail }
    return place + detail
  }
}

/// The reason why an element is refused, before its line is known.
struct FenceParseError: Error {
  let kind: FenceFileProblem.Kind
  /// The problem's first byte in the file.
  let offset: Int
  let detail: String

  init(_ kind: FenceFileProblem.Kind, at offset: Int, _ detail: String) {
    self.kind = kind
    self.offset = offset
    self.detail = detail
  }
}
