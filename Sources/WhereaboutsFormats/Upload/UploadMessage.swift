/// A request, but for where it goes and who may send it.
public struct UploadMessage: Hashable, Sendable, Codable {
  /// How it is asked.
  public enum Method: String, Hashable, Sendable, Codable {
    /// With nothing but a query.
    case get = "GET"
    /// With a body.
    case post = "POST"
  }

  /// A header field.
  public struct Field: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// A field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How it is asked.
  public var method: Method
  /// What goes behind the URL, encoded and without the question mark; `nil` for nothing.
  public var query: String?
  /// Header fields besides those that every request has.
  public var fields: [Field]
  /// The body; empty where there is none.
  public var body: [UInt8]

  /// A request.
  public init(method: Method = .post, query: String? = nil, fields: [Field] = [], body: [UInt8] = []) {
    self.method = method
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// A request with a body of JSON.
  static func json(_ fields: [Field] = [], _ members: (inout [UInt8]) -> Void) -> UploadMessage {
    var body: [UInt8] = []
    body.putObject(members)
    return UploadMessage(fields: [Field("Content-Type", "application/json")] + fields, body: body)
  }
}
