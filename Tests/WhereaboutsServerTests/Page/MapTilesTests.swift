import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports

@testable import WhereaboutsServer

/// The tiles of the page's map: which settings can be used, and what they change.
@Suite struct MapTilesTests {
  private let folder: TemporaryPlace

  init() throws { folder = try TemporaryPlace() }

  private func read(_ lines: [String]) throws -> (tiles: MapTiles?, problems: [String]) {
    var input = ServerConfiguration.Input()
    input.file = try folder.write(lines.joined(separator: "\n"), to: "conf")
    do throws(ConfigurationProblems) {
      return (try ServerConfiguration(input).settings.tiles, [])
    } catch {
      return (nil, error.all.map { "\($0)".replacing(folder.path(""), with: "") })
    }
  }

  @Test(arguments: [
    ("https://tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org"),
    ("https://Tiles.Example.org:8443/a/{x}/{y}?zoom={z}&key=secret", "https://tiles.example.org:8443"),
    ("https://127.0.0.1:9000/{z}-{y}-{x}", "https://127.0.0.1:9000"),
    ("/tiles/{z}/{x}/{y}.webp", nil),
  ]) func usableAddressIsAccepted(template: String, origin: String?) throws {
    let (tiles, problems) = try read(["TILES=\(template)", "TILES_ATTRIBUTION=© Somebody"])
    #expect(problems.isEmpty, "\(problems)")
    #expect(tiles?.template == template && tiles?.origin == origin)
    #expect(tiles?.attribution == "© Somebody" && tiles?.link == nil && tiles?.zooms == 0...19)
  }

  @Test func attributionEndsWithItsAddress() throws {
    let tiles = try read([
      "TILES=/{z}/{x}/{y}", "TILES_ATTRIBUTION=© <b>Some</b>  contributors https://example.org/copyright",
      "TILES_ZOOM=3-17",
    ]).tiles
    #expect(tiles?.attribution == "© <b>Some</b> contributors" && tiles?.zooms == 3...17)
    #expect(tiles?.link == "https://example.org/copyright")
    // Only an address over HTTPS is one.
    let script = try read(["TILES=/{z}/{x}/{y}", "TILES_ATTRIBUTION=Press javascript:alert(1)"]).tiles
    #expect(script?.link == nil)
  }

  @Test(arguments: [
    ("http://tiles.example.org/{z}/{x}/{y}.png", "must begin with https://"),
    ("//tiles.example.org/{z}/{x}/{y}.png", "must begin with https://"),
    ("tiles/{z}/{x}/{y}.png", "must begin with https://"),
    ("https://{s}.tiles.example.org/{z}/{x}/{y}.png", "must name one host"),
    ("https://*.example.org/{z}/{x}/{y}.png", "must name one host"),
    ("https://anna:secret@example.org/{z}/{x}/{y}.png", "must name one host"),
    ("https:///{z}/{x}/{y}.png", "must name one host"),
    ("https://example.org:0/{z}/{x}/{y}.png", "must name one host"),
    ("https://example.org;script-src/{z}/{x}/{y}", "without blanks"),
    ("https://example.org data:/{z}/{x}/{y}", "without blanks"),
    ("https://example.org/{z}/{x}.png", "must have {z}, {x} and {y}"),
    ("https://example.org/{z}/{x}/{y}/{y}.png", "must have {z}, {x} and {y}"),
    ("https://example.org/{z}/{x}/{y}{r}.png", "has {r}"),
    ("https://example.org/{z}/{x}/{y", "a { without a }"),
    ("https://example.org/{z}/{x}/{y}}", "a } without a {"),
    ("https://example.org/ö/{z}/{x}/{y}", "ASCII"),
  ]) func addressThatCantBeUsedIsRefused(template: String, reason: String) throws {
    let problems = try read(["TILES=\(template)", "TILES_ATTRIBUTION=x"]).problems
    #expect(problems.count == 1 && problems.first?.contains(reason) == true, "\(problems)")
  }

  @Test(arguments: [
    (["TILES=/{z}/{x}/{y}"], "TILES_ATTRIBUTION is missing"),
    (["TILES_ATTRIBUTION=x"], "TILES is missing"), (["TILES_ZOOM=0-5"], "TILES is missing"),
    (["TILES=/{z}/{x}/{y}", "TILES_ATTRIBUTION=x", "TILES_ZOOM=5-3"], "TILES_ZOOM must be"),
    (["TILES=/{z}/{x}/{y}", "TILES_ATTRIBUTION=x", "TILES_ZOOM=0-30"], "TILES_ZOOM must be"),
    (["TILES=/{z}/{x}/{y}", "TILES_ATTRIBUTION=https://example.org"], "must be a text"),
  ]) func mistakeIsReported(lines: [String], reason: String) throws {
    let problems = try read(lines).problems
    #expect(problems.count == 1 && problems.first?.contains(reason) == true, "\(problems)")
  }

  @Test func contentPolicyAllowsOneHostMore() async throws {
    func policy(_ tiles: MapTiles?) async throws -> (policy: String, worker: [UInt8]) {
      var settings = ServerSettings.test
      settings.tiles = tiles
      var result = ("", [UInt8]())
      try await TestServer.run(settings) { server in
        let page = try await server.send("GET", "/", token: nil)
        result.0 = try #require(page.headers["Content-Security-Policy"].first)
        result.1 = try await server.send("GET", "/page/worker.js", token: nil).body
      }
      return result
    }
    let plain = try await policy(nil)
    let own = try await policy(MapTiles(template: "/t/{z}/{x}/{y}", attribution: "x"))
    let other = try await policy(MapTiles(template: "https://example.org/{z}/{x}/{y}?k=v", attribution: "x"))
    #expect(own.policy == plain.policy)
    #expect(
      other.policy == plain.policy.replacing("img-src 'self'", with: "img-src 'self' https://example.org"))
    // A browser with a cached page of another policy receives the new page.
    let isSame = own.worker == plain.worker, isOther = other.worker != plain.worker
    #expect(isSame && isOther)
    #expect(String(decoding: other.worker, as: UTF8.self).contains("\"/page/map.js\""))
  }

  @Test func addressIsDisclosedToTokensOnly() async throws {
    var settings = ServerSettings.test
    settings.tiles = try MapTiles(
      template: "https://example.org/{z}/{x}/{y}?key=secret", attribution: "© x https://example.org/c")
    try await TestServer.run(settings) { server in
      #expect(try await server.get("/api/v1/map").status == 401)
      let answer = try await server.get("/api/v1/map", token: try server.token("anna", [.read]))
      let tiles = try #require(answer["tiles", as: [String: Any].self])
      #expect(tiles["template"] as? String == "https://example.org/{z}/{x}/{y}?key=secret")
      #expect(tiles["attribution"] as? String == "© x" && tiles["link"] as? String == "https://example.org/c")
      #expect(tiles["minZoom"] as? Int == 0 && tiles["maxZoom"] as? Int == 19)
    }
    try await TestServer.run { server in
      let answer = try await server.get("/api/v1/map", token: server.admin)
      #expect(answer.body == "{}")
    }
  }

  // MARK: Colours

  /// The page draws with the colours of the pictures.
  @Test func pageHasTheColoursOfThePictures() throws {
    let assets = PageAssets.standard
    func text(_ name: String) throws -> String {
      String(decoding: try #require(assets.files[name]).plain.bytes, as: UTF8.self)
    }
    let palette = try text("palette.css"), style = try text("app.css")
    for color in PictureColor.allCases { #expect(palette.contains("--\(color.rawValue): \(color.hex);")) }
    let known = Set(
      (palette + style).matches(of: /--([a-z-]+): #[0-9a-f]{6}/).map { String($0.1) })
    let used =
      try (style.matches(of: /var\(--([a-z-]+)\)/).map { String($0.1) })
      + text("map.js").matches(of: /colors\.([a-zA-Z]+)/).map { String($0.1) }
    #expect(Set(used).isSubset(of: known), "\(Set(used).subtracting(known))")
    // A light page has no separate colour for the same element.
    let light = style.prefix { $0 != "@" }
    for color in PictureColor.allCases { #expect(!light.contains("--\(color.rawValue):"), "\(color)") }
  }
}
