import Foundation
import Testing

@testable import WhereaboutsServer

@Suite struct WebhookSignatureTests {
  /// The example of the standard.
  @Test func signatureIsThatOfTheStandard() throws {
    let key = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let fields = WebhookSignature.fields(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array("{\"test\": 2432232314}".utf8),
      key: Array(key))
    #expect(fields.last?.1 == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    #expect(
      WebhookSignature.fields(id: "a", seconds: 1, body: [], key: nil).map(\.0) == [
        "webhook-id", "webhook-timestamp",
      ])
  }
}
