package import WhereaboutsModel
import WhereaboutsReports

extension [Fence] {
  /// Returns the fences with the given ids, in the same order; returns all fences for an empty list.
  ///
  /// - Throws: an error if a fence does not exist.
  package func those(_ ids: [String]) throws(CommandError) -> [Fence] {
    guard !ids.isEmpty else { return self }
    let wanted = Set(ids.map { FenceID($0) })
    let there = Set(map(\.id))
    if let missing = ids.first(where: { !there.contains(FenceID($0)) }) {
      throw CommandError("no fence has the id \(missing)\(FenceID.hint(for: missing, among: there))")
    }
    return filter { wanted.contains($0.id) }
  }
}
