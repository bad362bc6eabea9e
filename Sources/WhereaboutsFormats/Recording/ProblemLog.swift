/// A problem in a recording, with its place.
public struct InputProblem: Hashable, Sendable {
  /// The kinds of problems.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The checksum of a line or sentence does not match its bytes.
    case wrongChecksum = "wrong checksum"
    /// The line or sentence is longer than its format or this reader allows.
    case tooLong = "too long"
    /// The bytes between sentences belong to none.
    case garbage = "bytes outside any sentence"
    /// A sentence, row or document breaks the rules of its format.
    case malformed = "not well formed"
    /// A number is unreadable, or out of its range.
    case badNumber = "bad number"
    /// A position that is no place on Earth.
    case badCoordinate = "bad coordinate"
    /// A date or time does not exist, or is out of range.
    case badTime = "bad time"
    /// A required value is missing.
    case missing = "something required is missing"
    /// The recording ended before an element was complete.
    case truncated = "ends in the middle"
    /// The text is not in its declared encoding.
    case badEncoding = "bad text encoding"
  }

  /// The kind of problem.
  public var kind: Kind
  /// The line of the problem, counted from 1.
  public var line: Int
  /// The problem's first byte, counted from 0.
  public var byteOffset: Int
  /// The name of the file in an archive that the problem is in; `nil` outside of archives.
  public var part: String?
  /// The broken rule, as the end of "could not read …"; never a coordinate.
  public var detail: String

  /// Creates a problem at a place.
  public init(kind: Kind, line: Int, byteOffset: Int, detail: String) {
    self.kind = kind
    self.line = line
    self.byteOffset = byteOffset
    self.detail = detail
  }
}

/// A log of a recording's problems in bounded memory: all are counted, the first few are kept.
public struct ProblemLog: Hashable, Sendable {
  /// The number of problems of each kind that are kept.
  public static let samplesPerKind = 5

  /// The number of problems of each kind.
  public var counts: [InputProblem.Kind: Int] {
    var result: [InputProblem.Kind: Int] = [:]
    for kind in InputProblem.Kind.allCases where numbers[kind.place] > 0 {
      result[kind] = numbers[kind.place]
    }
    return result
  }
  /// The numbers of ``counts`` by the place of the kind. For the first dictionary the runtime would look up the
  /// conformances of its key, which takes as many instructions as some hundred sentences.
  private var numbers = SIMD16<Int>()
  /// The number of problems that left out a value of an element that was read, such as the speed of a row.
  package private(set) var valuesLeftOut = 0
  /// The number of problems that refused no element: those of a refused element but for one, and those of no element.
  private var furtherProblems = 0
  /// The first few problems of each kind, in order.
  public private(set) var samples: [InputProblem] = []

  /// Creates an empty log.
  public init() {}

  /// The number of all problems.
  public var total: Int { numbers.wrappedSum() }

  /// The number of refused elements, such as rows, as far as the decoder tells the problems of one element apart.
  package var refusals: Int { total - valuesLeftOut - furtherProblems }

  /// Counts a problem, and keeps it if it is among the first of its kind.
  ///
  /// - Parameters:
  ///   - kind: the kind of problem.
  ///   - line: as ``InputProblem/line``.
  ///   - byteOffset: as ``InputProblem/byteOffset``.
  ///   - detail: as ``InputProblem/detail``; evaluated only if the problem is kept.
  @inline(never)
  public mutating func report(
    _ kind: InputProblem.Kind, line: Int, byteOffset: Int, _ detail: @autoclosure () -> String
  ) {
    let count = numbers[kind.place]
    numbers[kind.place] = count + 1
    guard count < Self.samplesPerKind else { return }
    samples.append(InputProblem(kind: kind, line: line, byteOffset: byteOffset, detail: detail()))
  }

  /// Counts reported problems as left out values of an element that was read.
  mutating func countLeftOutValues(_ count: Int = 1) { valuesLeftOut += count }

  /// Counts reported problems as such that refused no element.
  mutating func countFurtherProblems(_ count: Int = 1) { furtherProblems += count }

  /// Adds the problems of a file in an archive, or of another input.
  ///
  /// - Parameter part: the name of the file; `nil` leaves the names as they are.
  package mutating func append(_ other: ProblemLog, part: String?) {
    for sample in other.samples where samples.count(where: { $0.kind == sample.kind }) < Self.samplesPerKind {
      var sample = sample
      sample.part = part ?? sample.part
      samples.append(sample)
    }
    numbers &+= other.numbers
    valuesLeftOut += other.valuesLeftOut
    furtherProblems += other.furtherProblems
  }
}

extension InputProblem.Kind {
  /// The place of its number in a vector of 16.
  fileprivate var place: Int {
    switch self {
    case .wrongChecksum: 0
    case .tooLong: 1
    case .garbage: 2
    case .malformed: 3
    case .badNumber: 4
    case .badCoordinate: 5
    case .badTime: 6
    case .missing: 7
    case .truncated: 8
    case .badEncoding: 9
    }
  }
}
