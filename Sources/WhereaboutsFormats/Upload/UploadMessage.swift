/// A request without its URL and credentials.
public struct UploadMessage: Hashable, Sendable, Codable {
  /// The HTTP methods used.
  public enum Method: String, Hashable, Sendable, Codable {
    /// A request with only a query.
    case get = "GET"
    /// A request with a body.
    case post = "POST"
  }

  /// A header field.
  public struct Field: Hashable, Sendable, Codable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The HTTP method.
  public var method: Method
  /// The URL's query, encoded and without the question mark; `nil` for none.
  public var query: String?
  /// The header fields besides those of every request.
  public var fields: [Field]
  /// The body; may be empty.
  public var body: [UInt8]

  /// Creates a request.
  public init(method: Method = .post, query: String? = nil, fields: [Field] = [], body: [UInt8] = []) {
    self.method = method
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// Returns a request with a body of JSON.
  static func json(_ fields: [Field] = [], _ members: (inout [UInt8]) -> Void) -> UploadMessage {
    var body: [UInt8] = []
    body.appendJSONObject(members)
    return UploadMessage(fields: [Field("Content-Type", "application/json")] + fields, body: body)
  }
}
