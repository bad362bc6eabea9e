import WhereaboutsCore
import WhereaboutsGeodesy

/// A fence that has no id of its own yet, perhaps.
struct FenceDraft {
  /// Which feature of the file it is, counted from 1.
  let ordinal: Int
  /// Where it begins, or its id where it states one.
  let offset: Int
  /// The id that it states.
  let id: String?
  let area: Area
  let terms: FenceTerms
  let name: String?
  let properties: [String: WhereaboutsCore.JSONValue]
}

/// The fences of a file and its problems, as they are found.
struct FenceDrafts {
  private struct Problem {
    let refusal: FenceRefusal
    let ordinal: Int?
    let id: String?
  }

  /// Whether nothing was found at all.
  var isEmpty: Bool { drafts.isEmpty && problems.isEmpty }

  /// Fences may have so many corners in all that are not in their file.
  private static let mostAdded = 5_000_000

  private var drafts: [FenceDraft] = []
  private var problems: [Problem] = []
  /// How many more corners there may be.
  private var cornersLeft: Int

  /// Nothing yet, of a file of so many bytes.
  init(of bytes: UnsafeRawBufferPointer) {
    // A corner takes eight bytes at the least.
    cornersLeft = bytes.count / 8 + Self.mostAdded
  }

  mutating func add(_ draft: FenceDraft) {
    cornersLeft -= draft.area.cornerCount
    guard cornersLeft >= 0 else {
      let refusal = FenceRefusal(
        .badGeometry, at: draft.offset, "the edges of all fences are too long to be followed")
      return refuse(refusal, feature: draft.ordinal, id: draft.id)
    }
    drafts.append(draft)
  }

  /// Forgets what was found so far: the file as a whole is refused.
  mutating func removeAll() {
    drafts = []
    problems = []
  }

  mutating func refuse(_ refusal: FenceRefusal, feature: Int? = nil, id: String? = nil) {
    problems.append(Problem(refusal: refusal, ordinal: feature, id: id))
  }

  /// Gives every fence an id of its own, and every problem its line.
  ///
  /// An id that is stated is kept: of two fences that state the same one the second is refused. Then the others are
  /// called by their names, or by their place in the file, with a number behind where that is taken.
  consuming func file(_ format: FenceFileFormat?, of bytes: UnsafeRawBufferPointer) -> FenceFile {
    var taken = Set<String>(minimumCapacity: drafts.count)
    var isDuplicate = [Bool](repeating: false, count: drafts.count)
    for (index, draft) in drafts.enumerated() {
      guard let id = draft.id, !taken.insert(id).inserted else { continue }
      isDuplicate[index] = true
      refuse(
        FenceRefusal(.duplicate, at: draft.offset, "another fence before it has the same id"),
        feature: draft.ordinal, id: id)
    }
    var fences: [Fence] = []
    fences.reserveCapacity(drafts.count)
    var lastNumbers: [String: Int] = [:]
    for (index, draft) in drafts.enumerated() where !isDuplicate[index] {
      let id = draft.id ?? Self.freeID(for: draft, among: &taken, &lastNumbers)
      fences.append(
        Fence(
          id: FenceID(id), area: draft.area, terms: draft.terms, name: draft.name,
          properties: draft.properties))
    }
    return FenceFile(format: format, fences: fences, problems: located(in: bytes))
  }

  private static func freeID(
    for draft: FenceDraft, among taken: inout Set<String>, _ lastNumbers: inout [String: Int]
  ) -> String {
    let wanted = draft.name.flatMap { $0.isEmpty ? nil : $0 } ?? "fence-\(draft.ordinal)"
    if taken.insert(wanted).inserted { return wanted }
    // From the last number of that name on, so that a file of equal names is not looked through again and again.
    var number = lastNumbers[wanted, default: 1]
    repeat { number += 1 } while !taken.insert("\(wanted)-\(number)").inserted
    lastNumbers[wanted] = number
    return "\(wanted)-\(number)"
  }

  /// The problems in the file's order; one pass over the bytes finds all their lines.
  private func located(in bytes: UnsafeRawBufferPointer) -> [FenceFileProblem] {
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
