import WhereaboutsModel
import WhereaboutsGeodesy

/// A fence that may not have an id yet.
struct FenceDraft {
  /// The feature's number in the file, counted from 1.
  let ordinal: Int
  /// The feature's offset, or the offset of its id if stated.
  let offset: Int
  /// The stated id.
  let id: String?
  let area: Area
  let terms: FenceTerms
  let name: String?
  let properties: [String: WhereaboutsModel.JSONValue]
}

/// The fences and problems of a file found so far.
struct FenceDrafts {
  private struct Problem {
    let refusal: FenceParseError
    let ordinal: Int?
    let id: String?
  }

  /// Whether neither fences nor problems were found.
  var isEmpty: Bool { drafts.isEmpty && problems.isEmpty }

  /// Whether a fence was found.
  var hasFences: Bool { !drafts.isEmpty }

  /// The limit of corners beyond those in the file.
  private static let maxAddedCorners = 5_000_000

  private var drafts: [FenceDraft] = []
  private var problems: [Problem] = []
  /// The number of corners still allowed.
  private var remainingCorners: Int

  /// Creates an empty result for a file of this size.
  init(of bytes: UnsafeRawBufferPointer) {
    // A corner has eight bytes at the least.
    remainingCorners = bytes.count / 8 + Self.maxAddedCorners
  }

  mutating func add(_ draft: FenceDraft) {
    if let id = draft.id, !FenceReader.isValidID(id) {
      let refusal = FenceParseError(
        .badValue, at: draft.offset, "the id \"\(id)\" can't be part of a path: give the fence another id")
      return recordError(refusal, feature: draft.ordinal)
    }
    remainingCorners -= draft.area.cornerCount
    guard remainingCorners >= 0 else {
      let refusal = FenceParseError(
        .badGeometry, at: draft.offset, "the edges of all fences are too long to be followed")
      return recordError(refusal, feature: draft.ordinal, id: draft.id)
    }
    drafts.append(draft)
  }

  /// Removes all results: the file as a whole is refused.
  mutating func removeAll() {
    drafts = []
    problems = []
  }

  mutating func recordError(_ refusal: FenceParseError, feature: Int? = nil, id: String? = nil) {
    problems.append(Problem(refusal: refusal, ordinal: feature, id: id))
  }

  /// Returns the file, in which every fence has an id and every problem its line.
  ///
  /// A stated id is kept: of two fences with the same id the second is refused. Other fences get their name as id, or
  /// their number in the file, with a suffix if the id is in use.
  consuming func makeFile(_ format: FenceFileFormat?, of bytes: UnsafeRawBufferPointer) -> FenceFile {
    var taken = Set<FenceID>(minimumCapacity: drafts.count)
    var isDuplicate = [Bool](repeating: false, count: drafts.count)
    for (index, draft) in drafts.enumerated() {
      guard let id = draft.id, !taken.insert(FenceID(id)).inserted else { continue }
      isDuplicate[index] = true
      recordError(
        FenceParseError(.duplicate, at: draft.offset, "another fence before it has the same id"),
        feature: draft.ordinal, id: id)
    }
    var fences: [Fence] = []
    fences.reserveCapacity(drafts.count)
    var lastNumbers: [String: Int] = [:]
    for (index, draft) in drafts.enumerated() where !isDuplicate[index] {
      let id = draft.id ?? Self.uniqueID(for: draft, among: &taken, &lastNumbers)
      fences.append(
        Fence(
          id: FenceID(id), area: draft.area, terms: draft.terms, name: draft.name,
          properties: draft.properties))
    }
    return FenceFile(format: format, fences: fences, problems: locatedProblems(in: bytes))
  }

  private static func uniqueID(
    for draft: FenceDraft, among taken: inout Set<FenceID>, _ lastNumbers: inout [String: Int]
  ) -> String {
    let wanted = draft.name.flatMap { FenceReader.isValidID($0) ? $0 : nil } ?? "fence-\(draft.ordinal)"
    if taken.insert(FenceID(wanted)).inserted { return wanted }
    // Start from the last number of that name, so that a file of equal names is not searched repeatedly.
    var number = lastNumbers[wanted, default: 1]
    repeat { number += 1 } while !taken.insert(FenceID("\(wanted)-\(number)")).inserted
    lastNumbers[wanted] = number
    return "\(wanted)-\(number)"
  }

  /// Returns the problems in the file's order; one pass over the bytes finds all their lines.
  private func locatedProblems(in bytes: UnsafeRawBufferPointer) -> [FenceFileProblem] {
    var line = 1, column = 1, position = 0
    return problems.sorted { $0.refusal.offset < $1.refusal.offset }.map { problem in
      let offset = min(problem.refusal.offset, bytes.count)
      while position < offset {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\n") {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
        position += 1
      }
      return FenceFileProblem(
        kind: problem.refusal.kind, line: line, column: column, byteOffset: offset,
        feature: problem.ordinal, id: problem.id.map { FenceID($0) }, detail: problem.refusal.detail)
    }
  }
}

extension Area {
  fileprivate var cornerCount: Int {
    switch self {
    case .circle: 1
    case .corridor(let corridor): corridor.line.count
    case .polygon(let polygon): polygon.cornerCount
    case .multiPolygon(let multi): multi.polygons.reduce(0) { $0 + $1.cornerCount }
    }
  }
}

extension Area.Polygon {
  fileprivate var cornerCount: Int { holes.reduce(exterior.count) { $0 + $1.count } }
}
