package import Foundation

#if canImport(FoundationXML)
  package import FoundationXML
#endif

/// A picture that was drawn, read back.
package final class Picture: NSObject, XMLParserDelegate {
  package private(set) var texts: [String] = []
  package private(set) var strokes: Set<String> = []
  package private(set) var fills: Set<String> = []
  package let size: Int
  private var text: String?

  /// The reason why a picture is unusable.
  package enum Flaw: Error {
    case numberThatIsNone
    case notWellFormed(String)
  }

  /// Throws where it is not well formed, or has numbers that are none.
  package init(_ svg: [UInt8]) throws {
    size = svg.count
    super.init()
    let source = String(decoding: svg, as: UTF8.self)
    guard !source.contains("nan") && !source.contains("inf\"") else { throw Flaw.numberThatIsNone }
    let parser = XMLParser(data: Data(svg))
    parser.delegate = self
    guard parser.parse() else { throw Flaw.notWellFormed(String(describing: parser.parserError)) }
  }

  package func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if let stroke = attributes["stroke"] { strokes.insert(stroke) }
    if let fill = attributes["fill"] { fills.insert(fill) }
    text = name == "text" ? "" : nil
  }

  package func parser(_ parser: XMLParser, foundCharacters characters: String) {
    text?.append(characters)
  }

  package func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "text", let text { texts.append(text) }
    text = nil
  }
}
