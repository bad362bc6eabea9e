package import WhereaboutsModel
package import WhereaboutsReports

/// A merge of fences into the fences of a device: its counts, and their text and JSON.
package struct FenceMerge: Hashable, Sendable {
  package private(set) var added = 0
  package private(set) var replaced = 0
  package private(set) var unchanged = 0
  /// The ids of the fences that were left out, because other fences have these ids.
  package private(set) var taken: [FenceID] = []

  /// Merges fences into other fences.
  ///
  /// - Parameter replaces: whether a fence replaces another fence with its id; otherwise the fence is left out.
  package init(of fences: [Fence], into all: inout [Fence], replaces: Bool) {
    var places: [FenceID: Int] = [:]
    for (index, fence) in all.enumerated() { places[fence.id] = index }
    for fence in fences {
      if let index = places[fence.id] {
        if all[index] == fence {
          unchanged += 1
        } else if replaces {
          all[index] = fence
          replaced += 1
        } else {
          taken.append(fence.id)
        }
      } else {
        places[fence.id] = all.count
        all.append(fence)
        added += 1
      }
    }
  }

  /// Merges the fences of files into the fences of records.
  ///
  /// - Parameters:
  ///   - problems: the number of unusable features of the files.
  ///   - records: opens the records. Files with problems alone open none, and so create no store.
  package static func merging(
    _ fences: [Fence], problems: Int, replaces: Bool, into records: () async throws -> any DeviceRecords
  ) async throws -> FenceMerge {
    var none: [Fence] = []
    guard !fences.isEmpty || problems == 0 else { return FenceMerge(of: [], into: &none, replaces: replaces) }
    return try await records().changeFences { all throws(CommandError) in
      FenceMerge(of: fences, into: &all, replaces: replaces)
    }
  }

  /// The line of the counts: `6 fences added, 1 replaced`.
  package var line: String {
    var parts = ["\(Quantities.count(added, "fence")) added"]
    if replaced > 0 { parts.append("\(replaced.grouped) replaced") }
    if unchanged > 0 { parts.append("\(unchanged.grouped) there already") }
    if !taken.isEmpty { parts.append("\(taken.count.grouped) left out") }
    return parts.joined(separator: ", ")
  }

  /// Returns the counts as a JSON object.
  ///
  /// - Parameter problems: the number of unusable features.
  package func json(problems: Int) -> JSONObject {
    var object = JSONObject()
    object.add("added", added)
    object.add("replaced", replaced)
    object.add("same", unchanged)
    object.add("taken", taken.count)
    object.add("problems", problems)
    return object
  }

  /// The message about the fences that were left out; `nil` for none.
  package var takenMessage: String? {
    guard !taken.isEmpty else { return nil }
    let names = taken.prefix(5).map(\.name).joined(separator: ", ") + (taken.count > 5 ? " …" : "")
    return "skipped fences with existing ids: \(names). Pass --replace to replace the existing fences."
  }
}
