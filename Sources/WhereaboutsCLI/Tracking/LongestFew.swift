/// The longest of many things, in bounded memory, and how many there were.
struct LongestFew<Element: Sendable>: Sendable {
  /// How many there were.
  private(set) var count = 0
  /// The longest of them, in the order they came.
  private(set) var kept: [Element] = []
  private let limit: Int
  private let length: @Sendable (Element) -> Double

  /// - Parameters:
  ///   - limit: how many are kept.
  ///   - length: how long one is; of two that are alike the earlier stays.
  init(limit: Int, length: @escaping @Sendable (Element) -> Double) {
    self.limit = limit
    self.length = length
  }

  /// Takes the next one in.
  mutating func add(_ element: Element) {
    count += 1
    kept.append(element)
    // Twice as many are let in before the shortest go, so that each costs little.
    if kept.count >= 2 * limit { trim() }
  }

  /// The longest of them, no more than the limit, in the order they came.
  var longest: [Element] {
    var copy = self
    copy.trim()
    return copy.kept
  }

  private mutating func trim() {
    guard kept.count > limit else { return }
    let order = kept.indices.sorted { (length(kept[$1]), $0) < (length(kept[$0]), $1) }
    kept = order.prefix(limit).sorted().map { kept[$0] }
  }
}
