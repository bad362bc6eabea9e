public import WhereaboutsCore

/// Makes requests of items, in the words of a template. The same items give the same bytes.
public struct UploadEncoder: Hashable, Sendable {
  /// In whose words.
  public var template: UploadTemplate
  /// Who the device is to the server.
  public var identity: UploadIdentity
  /// Names the queue that the ids of items are unique in, for our own JSON.
  public var origin: String
  /// Whether OsmAnd's query goes in the body of a POST, so that places don't end in a server's log of URLs.
  public var usesForm: Bool
  /// Whether simulated items go also where the template can't mark them.
  public var sendsSimulated = false

  /// An encoder.
  public init(
    _ template: UploadTemplate, identity: UploadIdentity, origin: String = "", usesForm: Bool = false
  ) {
    self.template = template
    self.identity = identity
    self.origin = origin
    self.usesForm = usesForm
  }

  /// One request with these items; `nil` where there is nothing in them that the template can say.
  ///
  /// - Parameters:
  ///   - items: any number where the template ``UploadTemplate/holdsMany``, else the first one counts.
  ///   - key: names the request, the same however often it is sent.
  ///   - now: when the request is made, by the wall clock; `nil` where that is not known.
  public func message(_ items: [UploadItem], key: String, at now: UTCTime? = nil) -> UploadMessage? {
    let items = items.filter { template.unsaid(of: $0, sendingSimulated: sendsSimulated) == nil }
    guard let first = items.first else { return nil }
    return switch template {
    case .whereabouts: whereabouts(items, key: key)
    case .overland: overland(items)
    case .owntracks: owntracks(first, key: key, at: now)
    case .osmand: osmand(first)
    case .traccar: traccar(first, key: key)
    }
  }
}
