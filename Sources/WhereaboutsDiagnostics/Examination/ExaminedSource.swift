package import WhereaboutsSources

/// The subject of an examination.
package enum ExaminedSource: Sendable {
  /// Every source of this machine.
  case automatic
  case gpsd(GPSDAddress)
  /// A receiver and its name in findings.
  case receiver(ReceiverSource, name: String)
  /// The desktop's location service.
  case geoClue
  /// Several sources, each by itself.
  case several([ExaminedSource])

  /// Creates the subject of a source's name; `nil` for a recording.
  package init?(_ name: SourceName) {
    switch name {
    case .automatic: self = .automatic
    case .gpsd(let address): self = .gpsd(address)
    case .receiver(let receiver): self = .receiver(receiver.source, name: receiver.name)
    case .geoClue: self = .geoClue
    case .failover(let sources): self = .several(sources.compactMap { ExaminedSource($0) })
    case .replay: return nil
    }
  }
}
