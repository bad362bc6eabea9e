import Foundation
import PackagePlugin

/// Puts the files of a target's folder `Documents` into its program, as the enum `Documents`.
///
/// The text of a file is one string literal. The package manager's own way is an array literal of bytes, whose
/// compilation takes minutes for files of this size.
@main struct EmbedDocuments: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appendingPathComponent("Documents")
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("Documents.swift")
    return [
      .buildCommand(
        displayName: "Embed the documents of \(target.name)",
        executable: try context.tool(named: "DocumentEmbedder").url,
        arguments: [folder.path, output.path],
        inputFiles: files(in: folder), outputFiles: [output])
    ]
  }

  private func files(in folder: URL) -> [URL] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }.filter { !$0.hasDirectoryPath }
  }
}
