/// A file of alerts; docs/alerts.md describes its form.
///
/// Unknown members are refused: an alert with a mistyped condition would notify too often.
package enum AlertFile {
  /// Reads a file. Other files that it names are relative to its folder.
  package static func settings(atPath path: String) throws(SettingsFile.ParseError) -> AlertSettings {
    let (content, folder) = try SettingsFile.content(AlertFileContent.self, atPath: path)
    return try content.settings(folder: folder)
  }
}
