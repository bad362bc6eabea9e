import WhereaboutsCore

extension FenceID {
  /// What to say where there is no fence of an id: one that may have been meant, or that there is none.
  static func hint(for id: String, among there: Set<FenceID>) -> String {
    let wanted = id.lowercased()
    let close = there.sorted().first { fence in
      let name = fence.name.lowercased()
      return name == wanted || name.hasPrefix(wanted) || wanted.hasPrefix(name)
    }
    return close.map { "; there is \($0)" } ?? (there.isEmpty ? "; there is none at all" : "")
  }
}
