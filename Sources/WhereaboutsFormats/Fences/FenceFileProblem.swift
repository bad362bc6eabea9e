public import WhereaboutsCore

/// Something in a file of fences that could not be taken: what, and where.
public struct FenceFileProblem: Error, Hashable, Sendable {
  /// What was wrong.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file is something else: a recording, an archive, or nothing that is known.
    case notFences = "not a file of fences"
    /// Not formed as its format says.
    case malformed = "not well formed"
    /// The file ends in the middle of something.
    case truncated = "ends in the middle"
    /// Text that is not in the encoding it claims.
    case badEncoding = "bad text encoding"
    /// Something that a fence needs is not there.
    case missing = "something required is missing"
    /// A geometry of which no fence is made.
    case unsupported = "no area"
    /// A number that is none, or a position that is no place on Earth.
    case badCoordinate = "bad coordinate"
    /// A geometry that encloses nothing, or nothing that can be told: an open ring, one that crosses itself.
    case badGeometry = "bad geometry"
    /// A property that has another type than it must, or a value out of range.
    case badValue = "bad value"
    /// An id that another fence of the file has.
    case duplicate = "id given twice"
  }

  /// What was wrong.
  public var kind: Kind
  /// The line it stands on, counted from 1.
  public var line: Int
  /// The character of the line that it begins at, counted from 1.
  public var column: Int
  /// The byte of the file that it begins at, counted from 0.
  public var byteOffset: Int
  /// Which feature, placemark or waypoint it is in, counted from 1; `nil` where it is in none.
  public var feature: Int?
  /// The id that the feature states; `nil` where it states none.
  public var id: FenceID?
  /// What is wrong, as the end of "could not take …"; never a coordinate.
  public var detail: String

  /// A problem at a place.
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
  /// The place, the fence and what is wrong: `line 3, column 40: fence "home": radius is no number`.
  public var description: String {
    let place = "line \(line), column \(column): "
    if let id { return place + "fence \"\(id)\": " + detail }
    if let feature { return place + "feature \(feature): " + detail }
    return place + detail
  }
}

/// Why something is not taken, before its line is known.
struct FenceRefusal: Error {
  let kind: FenceFileProblem.Kind
  /// The byte of the file that it begins at.
  let offset: Int
  let detail: String

  init(_ kind: FenceFileProblem.Kind, at offset: Int, _ detail: String) {
    self.kind = kind
    self.offset = offset
    self.detail = detail
  }
}
