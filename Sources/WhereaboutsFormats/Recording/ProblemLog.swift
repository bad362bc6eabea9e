/// Something in a recording that could not be read: what, and where.
public struct InputProblem: Hashable, Sendable {
  /// What was wrong.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A line or sentence whose checksum does not match its bytes.
    case wrongChecksum = "wrong checksum"
    /// A line or sentence longer than its format or this reader allows.
    case tooLong = "too long"
    /// Bytes between sentences that belong to none.
    case garbage = "bytes outside any sentence"
    /// A sentence, row or document that is not formed as its format says.
    case malformed = "not well formed"
    /// A number that is no number, or out of its range.
    case badNumber = "bad number"
    /// A position that is no place on Earth.
    case badCoordinate = "bad coordinate"
    /// A date or time that does not exist, or that can't be held.
    case badTime = "bad time"
    /// Something that the format requires is not there.
    case missing = "something required is missing"
    /// The recording ended in the middle of something.
    case truncated = "ends in the middle"
    /// Text that is not in the encoding it claims.
    case badEncoding = "bad text encoding"
  }

  /// What was wrong.
  public var kind: Kind
  /// The line it stands on, counted from 1.
  public var line: Int
  /// The byte it begins at, counted from 0.
  public var byteOffset: Int
  /// Which rule was broken, as the end of "could not read …"; never a coordinate.
  public var detail: String

  /// A problem at a place.
  public init(kind: Kind, line: Int, byteOffset: Int, detail: String) {
    self.kind = kind
    self.line = line
    self.byteOffset = byteOffset
    self.detail = detail
  }
}

/// Every problem of a recording counted, the first few kept whole, in bounded memory.
public struct ProblemLog: Hashable, Sendable {
  /// How many problems of each kind are kept whole.
  public static let samplesPerKind = 5

  /// How many problems there were of each kind.
  public private(set) var counts: [InputProblem.Kind: Int] = [:]
  /// The first few problems of each kind, in the order they were met.
  public private(set) var samples: [InputProblem] = []

  /// A log with nothing in it.
  public init() {}

  /// How many problems there were in all.
  public var total: Int { counts.values.reduce(0, +) }

  /// Counts a problem, and keeps it if it is among the first of its kind.
  ///
  /// - Parameters:
  ///   - kind: what is wrong.
  ///   - line: as ``InputProblem/line``.
  ///   - byteOffset: as ``InputProblem/byteOffset``.
  ///   - detail: as ``InputProblem/detail``; evaluated only if the problem is kept.
  public mutating func report(
    _ kind: InputProblem.Kind, line: Int, byteOffset: Int, _ detail: @autoclosure () -> String
  ) {
    let count = counts[kind, default: 0]
    counts[kind] = count + 1
    guard count < Self.samplesPerKind else { return }
    samples.append(InputProblem(kind: kind, line: line, byteOffset: byteOffset, detail: detail()))
  }
}
