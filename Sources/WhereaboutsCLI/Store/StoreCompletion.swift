import ArgumentParser
import Whereabouts
import WhereaboutsCore

/// Completions with what a store holds. Where it can't be read there are none: nobody waits for an error there.
enum StoreCompletion {
  /// Ids of fences.
  static var fences: CompletionKind {
    .custom { (words: [String], _: Int, _: String) -> [String] in
      (try? OpenStore.fences(of: options(words)))?.map(\.id.name) ?? []
    }
  }

  /// Names of trips.
  static var trips: CompletionKind {
    .custom { (words: [String], _: Int, _: String) -> [String] in
      guard let store = try? OpenStore.readingIfThere(options(words)) else { return [] }
      defer { store.close() }
      return (try? store.trips())?.map(\.id.rawValue) ?? []
    }
  }

  /// The store that the words of the command line name.
  private static func options(_ words: [String]) -> StoreOptions {
    var arguments: [String] = []
    for name in ["--store", "--device"] {
      if let index = words.firstIndex(of: name), words.indices.contains(index + 1) {
        arguments += [name, words[index + 1]]
      } else if let word = words.first(where: { $0.hasPrefix("\(name)=") }) {
        arguments.append(word)
      }
    }
    return (try? StoreOptions.parse(arguments)) ?? StoreOptions()
  }
}
