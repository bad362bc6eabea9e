public import WhereaboutsModel

/// The parts of an HTTP request that a dialect reads. A field that the request does not have is `nil`.
public struct PhoneRequest: Hashable, Sendable {
  /// The place of a row in the whole request that this one is a part of.
  struct RowPlace: Hashable, Sendable {
    /// The index of the row in the whole request, from 0.
    var row: Int
    /// The number of bytes by which the row is later in the body of the whole request than here.
    var shift: Int
  }

  /// The encoded query, without the question mark; may be empty.
  public var query: String
  /// The `Content-Type` field.
  public var contentType: String?
  /// The `User-Agent` field.
  public var userAgent: String?
  /// The user's name: the field `X-Limit-U`.
  public var user: String?
  /// The name of HTTP Basic. It is the user's where nothing else in the request names the user.
  public var basicUser: String?
  /// The device's name: the field `X-Limit-D`.
  public var device: String?
  /// The body, decompressed; may be empty.
  public var body: [UInt8]
  /// The time of arrival by the wall clock.
  public var arrival: UTCTime
  /// The places of the rows in the whole request that this one is a part of; `nil` for a whole request.
  var rowPlaces: [RowPlace]?

  /// Creates a request.
  public init(
    query: String = "", contentType: String? = nil, userAgent: String? = nil, user: String? = nil,
    basicUser: String? = nil, device: String? = nil, body: [UInt8] = [], arrival: UTCTime
  ) {
    self.query = query
    self.contentType = contentType
    self.userAgent = userAgent
    self.user = user
    self.basicUser = basicUser
    self.device = device
    self.body = body
    self.arrival = arrival
  }
}
