import ArgumentParser

/// An argument that is one of some words, which completions offer.
protocol ListedArgument: ExpressibleByArgument {}

extension ListedArgument {
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
