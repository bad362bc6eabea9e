import HTTPTypes
import Hummingbird
import NIOCore
import WhereaboutsFormats

extension Response {
  /// Creates a response with a JSON object.
  static func json(
    _ status: HTTPResponse.Status = .ok, type: String = "application/json",
    _ members: (inout [UInt8]) -> Void
  ) -> Response {
    var body: [UInt8] = []
    body.appendJSONObject(members)
    return .bytes(status, type: type, body)
  }

  /// Creates a response with a body of a type.
  static func bytes(_ status: HTTPResponse.Status = .ok, type: String, _ body: [UInt8]) -> Response {
    Response(
      status: status, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
