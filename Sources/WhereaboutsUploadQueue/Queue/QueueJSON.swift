import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore

/// Endpoints and their queues as JSON lines. Times are RFC 3339, durations are seconds, and absent values are
/// omitted.
///
/// | key | meaning |
/// | --- | --- |
/// | `endpoint`, `url`, `template` | name, address and upload format |
/// | `device`, `as`, `user` | the device, its name at the server and the user |
/// | `fixes`, `crossings`, `everyFix` | content |
/// | `interval`, `batch`, `gzip`, `authFile`, `caFile`, `timeout`, `tries`, `simulated` | sending options |
/// | `stopped` | reason why uploads are stopped |
/// | `waiting`, `waitingItems`, `waitingCrossings`, `oldest`, `unread` | pending uploads |
/// | `attempts`, `nextTry` | failed attempts of the next request, and the time of its next attempt |
/// | `sent`, `sentItems`, `lastSent` | uploads that the server accepted |
/// | `aside`, `asideItems`, `letters` | dead letters; the newest with `key`, `items`, `attempts`, `reason` |
/// | `lastFailed`, `lastReason` | the last failure |
/// | `unconfirmed` | total number of responses that do not conform to the format |
/// | `unsupported` | number of values that the format cannot express |
package enum QueueJSON {
  package static func append(_ endpoint: Endpoint, to bytes: inout [UInt8]) {
    bytes.appendJSONObject { appendMembers(endpoint, to: &$0) }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func appendMembers(_ endpoint: Endpoint, to bytes: inout [UInt8]) {
    bytes.appendJSONMember("endpoint", endpoint.name)
    bytes.appendJSONMember("url", endpoint.redactedURL)
    bytes.appendJSONMember("template", endpoint.template.rawValue)
    bytes.appendJSONMember("device", endpoint.device?.rawValue)
    bytes.appendJSONMember("as", endpoint.shownAs)
    if endpoint.template == .owntracks { bytes.appendJSONMember("user", endpoint.user) }
    bytes.appendJSONMember("fixes", endpoint.sendsFixes)
    bytes.appendJSONMember(
      "crossings", endpoint.sendsCrossings && !endpoint.template.unsupportedContent.contains(.crossing))
    bytes.appendJSONMember("everyFix", endpoint.terms == nil)
    bytes.appendJSONMember("interval", endpoint.interval)
    bytes.appendJSONMember("batch", endpoint.batchSize)
    bytes.appendJSONMember("gzip", endpoint.compresses)
    bytes.appendJSONMember("authFile", endpoint.authorizationFile)
    bytes.appendJSONMember("caFile", endpoint.authorityFile)
    bytes.appendJSONMember("timeout", endpoint.timeout)
    bytes.appendJSONMember("tries", endpoint.maximumAttempts)
    if endpoint.sendsSimulated { bytes.appendJSONMember("simulated", true) }
  }

  package static func append(_ status: UploadStatus, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      appendMembers(status.endpoint, to: &$0)
      $0.appendJSONMember("stopped", status.stopReason)
      $0.appendJSONMember("waiting", status.waiting.requests)
      $0.appendJSONMember("waitingItems", status.waiting.items)
      $0.appendJSONMember("waitingCrossings", status.waiting.crossings)
      $0.appendJSONMember("oldest", status.oldest)
      $0.appendJSONMember("unread", status.unreadFixes)
      $0.appendJSONMember("attempts", status.attempts)
      $0.appendJSONMember("nextTry", status.nextTry)
      $0.appendJSONMember("sent", status.sent)
      $0.appendJSONMember("sentItems", status.sentItems)
      $0.appendJSONMember("lastSent", status.lastSent)
      $0.appendJSONMember("aside", status.dead.requests)
      $0.appendJSONMember("asideItems", status.dead.items)
      appendDeadLetters(status.deadLetters, to: &$0)
      $0.appendJSONMember("lastFailed", status.lastFailed)
      $0.appendJSONMember("lastReason", status.lastReason)
      $0.appendJSONMember("unconfirmed", status.unconfirmed)
      appendOmissions(status.unsupported, to: &$0)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func appendDeadLetters(_ letters: [UploadStatus.DeadLetter], to bytes: inout [UInt8]) {
    guard !letters.isEmpty else { return }
    bytes.appendJSONMember("letters", letters) { bytes, letter in
      bytes.appendJSONObject {
        $0.appendJSONMember("key", letter.key)
        $0.appendJSONMember("items", letter.items)
        $0.appendJSONMember("attempts", letter.attempts)
        $0.appendJSONMember("reason", letter.reason)
      }
    }
  }

  private static func appendOmissions(
    _ unsupported: [UploadTemplate.UnsupportedContent: Int], to bytes: inout [UInt8]
  ) {
    guard !unsupported.isEmpty else { return }
    bytes.appendJSONMember("unsupported") {
      $0.appendJSONMember("crossing", unsupported[.crossing])
      $0.appendJSONMember("dwell", unsupported[.dwell])
      $0.appendJSONMember("revision", unsupported[.revision])
      $0.appendJSONMember("timeless", unsupported[.timeless])
      $0.appendJSONMember("simulated", unsupported[.simulated])
    }
  }
}
