import ArgumentParser

/// Several comma-separated values as typed: `30,50,100`.
struct ListArgument<Element: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  var elements: [Element]

  init?(argument: String) {
    elements = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = Element(argument: String(part)) else { return nil }
      elements.append(element)
    }
  }
}

extension ListArgument: ExplainedArgument where Element: ExplainedArgument {
  static var form: String { "Write values with commas between. \(Element.form)" }
}
