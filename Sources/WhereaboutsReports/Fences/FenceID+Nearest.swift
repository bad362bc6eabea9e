package import WhereaboutsModel

extension FenceID {
  /// Returns the hint for an unknown fence id: a similar id, or a statement that the fence does not exist.
  package static func hint(for id: String, among there: Set<FenceID>) -> String {
    let wanted = id.lowercased()
    let close = there.sorted().first { fence in
      let name = fence.name.lowercased()
      return name == wanted || name.hasPrefix(wanted) || wanted.hasPrefix(name)
    }
    return close.map { ". Did you mean \($0)?" } ?? (there.isEmpty ? "; no fence exists" : "")
  }
}
