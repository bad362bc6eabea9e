import Foundation
import WhereaboutsReports

/// The files of the web page, which are part of the program.
struct PageAssets: Sendable {
  /// The page itself, at `/`.
  let index: PageAsset
  /// The files under `/page/`, by name.
  private(set) var files: [String: PageAsset]
  /// The digest of all files.
  private let version: String
  /// The worker's script, without version and paths.
  private let worker: [UInt8]

  /// The worker that stores the page for use without a connection.
  static let workerName = "worker.js"

  /// All files of `Documents/Page`, compressed. The worker has their names and version.
  static let standard = PageAssets()

  private init() {
    var files = Documents.page
    files["palette.css"] = Self.palette
    guard let index = files.removeValue(forKey: "index.html"),
      let worker = files.removeValue(forKey: Self.workerName)
    else { preconditionFailure("the page has no index.html or no \(Self.workerName)") }
    let names = files.keys.sorted()
    version = PageAsset.digest(of: [index, worker] + names.compactMap { files[$0] })
    files[Self.workerName] = Self.worker(worker, version: version, names: names)
    self.index = PageAsset(type: Self.type(of: "index.html"), index)
    self.files = Dictionary(
      uniqueKeysWithValues: files.map { ($0.key, PageAsset(type: Self.type(of: $0.key), $0.value)) })
    self.worker = worker
  }

  /// Returns the media type of a file by its name.
  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    default: "text/plain; charset=utf-8"
    }
  }

  /// The colours of the pictures that the command draws, as properties of the style sheet.
  private static let palette: [UInt8] = {
    let lines = PictureColor.allCases.map { "  --\($0.rawValue): \($0.hex);\n" }.joined()
    return Array(":root {\n\(lines)}\n".utf8)
  }()

  /// Returns the same files with another worker, for a page with a content policy of its own.
  func version(for policy: String) -> PageAssets {
    var changed = self
    let version = PageAsset.digest(of: [Array(version.utf8), Array(policy.utf8)])
    let names = files.keys.filter { $0 != Self.workerName }.sorted()
    changed.files[Self.workerName] = PageAsset(
      type: Self.type(of: Self.workerName), Self.worker(worker, version: version, names: names))
    return changed
  }

  /// Returns the worker's script with the version and the paths of the files in place of its own examples.
  private static func worker(_ script: [UInt8], version: String, names: [String]) -> [UInt8] {
    let paths = (["/"] + names.map { "/page/" + $0 }).map { "\"\($0)\"" }.joined(separator: ", ")
    let text = String(decoding: script, as: UTF8.self)
      .replacingOccurrences(of: "\"VERSION\"", with: "\"\(version)\"")
      .replacingOccurrences(of: "\"FILES\"", with: paths)
    return Array(text.utf8)
  }
}
