import Foundation
import Testing

@testable import WhereaboutsCLI

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A picture that was drawn, read back.
final class Picture: NSObject, XMLParserDelegate {
  private(set) var texts: [String] = []
  private(set) var strokes: Set<String> = []
  private(set) var fills: Set<String> = []
  let size: Int
  private var text: String?

  /// A map of a track.
  convenience init(of track: TrackCollector, gapThreshold: Double = 10) throws {
    let caption = TrackMap.Caption(title: "Title & <more>", subtitle: "")
    try self.init(TrackMap(track: track, caption: caption, gapThreshold: gapThreshold).svg())
  }

  /// Fails the test where it is not well formed, or has numbers that are none.
  init(_ svg: [UInt8]) throws {
    size = svg.count
    super.init()
    let source = String(decoding: svg, as: UTF8.self)
    #expect(!source.contains("nan") && !source.contains("inf\""))
    let parser = XMLParser(data: Data(svg))
    parser.delegate = self
    #expect(parser.parse(), "not well formed: \(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if let stroke = attributes["stroke"] { strokes.insert(stroke) }
    if let fill = attributes["fill"] { fills.insert(fill) }
    text = name == "text" ? "" : nil
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) {
    text?.append(characters)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    if name == "text", let text { texts.append(text) }
    text = nil
  }
}
