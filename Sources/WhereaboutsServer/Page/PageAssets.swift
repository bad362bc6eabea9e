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

  private static let html = "text/html; charset=utf-8"
  private static let script = "text/javascript; charset=utf-8"
  private static let style = "text/css; charset=utf-8"

  /// The worker that keeps the page for use without a connection.
  static let workerName = "worker.js"

  /// Prepares the files: compresses them, and tells the worker their names and version.
  static let standard = PageAssets()

  private init() {
    typealias Resources = PackageResources
    let index = Resources.index_html
    let files: [(name: String, type: String, bytes: [UInt8])] = [
      ("app.css", Self.style, Resources.app_css),
      ("palette.css", Self.style, Self.palette),
      ("icon.svg", "image/svg+xml", Resources.icon_svg),
      ("icon-180.png", "image/png", Resources.icon_180_png),
      ("leaflet.css", Self.style, Resources.leaflet_css),
      ("leaflet.js", Self.script, Resources.leaflet_js),
      ("leaflet-license.txt", "text/plain; charset=utf-8", Resources.leaflet_license_txt),
      ("manifest.webmanifest", "application/manifest+json", Resources.manifest_webmanifest),
      ("alerts.js", Self.script, Resources.alerts_js),
      ("api.js", Self.script, Resources.api_js),
      ("app.js", Self.script, Resources.app_js),
      ("dom.js", Self.script, Resources.dom_js),
      ("export.js", Self.script, Resources.export_js),
      ("finder.js", Self.script, Resources.finder_js),
      ("format.js", Self.script, Resources.format_js),
      ("geo.js", Self.script, Resources.geo_js),
      ("map.js", Self.script, Resources.map_js),
      ("outbox.js", Self.script, Resources.outbox_js),
      ("readers.js", Self.script, Resources.readers_js),
      ("session.js", Self.script, Resources.session_js),
      ("share.js", Self.script, Resources.share_js),
      ("sketch.js", Self.script, Resources.sketch_js),
      ("sources.js", Self.script, Resources.sources_js),
      ("state.js", Self.script, Resources.state_js),
      ("stream.js", Self.script, Resources.stream_js),
      ("strings.js", Self.script, Resources.strings_js),
      ("strings-de.js", Self.script, Resources.strings_de_js),
      ("strings-en.js", Self.script, Resources.strings_en_js),
      ("terms.js", Self.script, Resources.terms_js),
      ("texts.js", Self.script, Resources.texts_js),
      ("timeline.js", Self.script, Resources.timeline_js),
      ("tracks.js", Self.script, Resources.tracks_js),
      ("view-fences.js", Self.script, Resources.view_fences_js),
      ("view-map.js", Self.script, Resources.view_map_js),
      ("view-now.js", Self.script, Resources.view_now_js),
      ("view-record.js", Self.script, Resources.view_record_js),
      ("view-signin.js", Self.script, Resources.view_signin_js),
      ("trial.js", Self.script, Resources.trial_js),
      ("why.js", Self.script, Resources.why_js),
      ("zone.js", Self.script, Resources.zone_js),
    ]
    version = PageAsset.digest(of: [index, Resources.worker_js] + files.map(\.bytes))
    let worker = Self.worker(Resources.worker_js, version: version, names: files.map(\.name))
    self.index = PageAsset(type: Self.html, index)
    self.files = Dictionary(
      uniqueKeysWithValues: (files + [(Self.workerName, Self.script, worker)]).map {
        ($0.name, PageAsset(type: $0.type, $0.bytes))
      })
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
      type: Self.script, Self.worker(PackageResources.worker_js, version: version, names: names))
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
