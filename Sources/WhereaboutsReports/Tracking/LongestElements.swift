/// The longest elements of a sequence in bounded memory, and the number of all elements.
struct LongestElements<Element: Sendable>: Sendable {
  /// The number of all elements.
  private(set) var count = 0
  /// The retained elements in their original order.
  private(set) var retained: [Element] = []
  private let limit: Int
  private let length: @Sendable (Element) -> Double

  /// - Parameters:
  ///   - limit: the maximum number of retained elements.
  ///   - length: returns the length of an element. Of two equal lengths, the earlier element is retained.
  init(limit: Int, length: @escaping @Sendable (Element) -> Double) {
    self.limit = limit
    self.length = length
  }

  /// Adds the next element.
  mutating func add(_ element: Element) {
    count += 1
    retained.append(element)
    // Trims only at twice the limit, so that the cost of each element is small.
    if retained.count >= 2 * limit { trim() }
  }

  /// The longest elements up to the limit, in their original order.
  var longest: [Element] {
    var copy = self
    copy.trim()
    return copy.retained
  }

  private mutating func trim() {
    guard retained.count > limit else { return }
    let order = retained.indices.sorted { (length(retained[$1]), $0) < (length(retained[$0]), $1) }
    retained = order.prefix(limit).sorted().map { retained[$0] }
  }
}
