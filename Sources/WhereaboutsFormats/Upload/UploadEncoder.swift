public import WhereaboutsModel

/// An encoder of items as requests, in the form of a template. The same items give the same bytes.
public struct UploadEncoder: Hashable, Sendable {
  /// The template.
  public var template: UploadTemplate
  /// The device's identity for the server.
  public var identity: UploadIdentity
  /// The name of the queue in which item ids are unique, for our own JSON.
  public var origin: String
  /// Whether OsmAnd's query is the body of a POST, which keeps positions out of a server's URL log.
  public var usesForm: Bool
  /// Whether simulated items are sent even if the template can't mark them.
  public var sendsSimulated = false

  /// Creates an encoder for a template and an identity.
  public init(
    _ template: UploadTemplate, identity: UploadIdentity, origin: String = "", usesForm: Bool = false
  ) {
    self.template = template
    self.identity = identity
    self.origin = origin
    self.usesForm = usesForm
  }

  /// Returns one request with these items; `nil` if the template supports none of them.
  ///
  /// - Parameters:
  ///   - items: any number if the template ``UploadTemplate/allowsBatches``, else only the first one is used.
  ///   - key: the request's name, the same for each attempt.
  ///   - now: the time of the request by the wall clock; `nil` if unknown.
  public func message(_ items: [UploadItem], key: String, at now: UTCTime? = nil) -> UploadMessage? {
    let items = items.filter { template.unsupportedContent(of: $0, sendingSimulated: sendsSimulated) == nil }
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
