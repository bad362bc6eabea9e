package import Foundation

/// The `whereabouts` command that was built together with the tests.
package enum BuiltCommand {
  /// The path of the binary.
  package static let url: URL = {
    // The test bundle's path is an argument of the runner; the products lie beside it.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(filePath: bundle)
    while folder.pathComponents.contains(where: { $0.hasSuffix(".xctest") }) {
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "whereabouts")
  }()
}
