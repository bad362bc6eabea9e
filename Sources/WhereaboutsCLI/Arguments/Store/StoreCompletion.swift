import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations

/// Shell completions from the content of a store. An unreadable store gives no completions and no error.
enum StoreCompletion {
  /// The completion of fence ids.
  static var fences: CompletionKind {
    .custom { (words: [String], _: Int, _: String) -> [String] in
      (try? OpenStore.fences(of: selection(words), converts: false))?.map(\.id.name) ?? []
    }
  }

  /// The completion of trip names.
  static var trips: CompletionKind {
    .custom { (words: [String], _: Int, _: String) -> [String] in
      guard let store = try? OpenStore.readingIfThere(selection(words), converts: false) else {
        return []
      }
      defer { store.close() }
      return (try? store.trips())?.map(\.id.rawValue) ?? []
    }
  }

  /// Returns the store that the words of the command line select.
  private static func selection(_ words: [String]) -> StoreSelection {
    var arguments: [String] = []
    for name in ["--store", "--device"] {
      if let index = words.firstIndex(of: name), words.indices.contains(index + 1) {
        arguments += [name, words[index + 1]]
      } else if let word = words.first(where: { $0.hasPrefix("\(name)=") }) {
        arguments.append(word)
      }
    }
    return (try? StoreOptions.parse(arguments))?.selection ?? StoreSelection(file: nil, device: nil)
  }
}
