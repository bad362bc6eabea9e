import ArgumentParser

/// An argument with a fixed list of values, which shell completion offers.
protocol ListedArgument: ExpressibleByArgument {}

extension ListedArgument {
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
