package import WhereaboutsModel

extension FenceID {
  /// Returns the hint for an unknown fence id: a similar id, otherwise some known ids.
  package static func hint(for id: String, among there: Set<FenceID>) -> String {
    let wanted = id.lowercased()
    let close = there.sorted().first { fence in
      let name = fence.name.lowercased()
      return name == wanted || name.hasPrefix(wanted) || wanted.hasPrefix(name)
    }
    if let close { return ". Did you mean \(close)?" }
    guard !there.isEmpty else { return "; no fence exists" }
    let names = there.sorted().prefix(5).map(\.name).joined(separator: ", ")
    return ". Known ids: \(names)\(there.count > 5 ? " …" : ".")"
  }
}
