import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsStore

/// Endpoints and their queues as JSON lines. Times are RFC 3339, durations seconds; what is absent is left out.
///
/// | key | meaning |
/// | --- | --- |
/// | `endpoint`, `url`, `template` | its name, where and in which form |
/// | `device`, `as`, `user` | whose, and what it is called there |
/// | `fixes`, `crossings`, `everyFix` | what is sent |
/// | `interval`, `batch`, `gzip`, `authFile`, `caFile`, `timeout`, `tries`, `simulated` | how |
/// | `stopped` | why nothing is sent |
/// | `waiting`, `waitingItems`, `waitingCrossings`, `oldest`, `unread` | what is to be sent |
/// | `attempts`, `nextTry` | how often the next has failed, and when it is tried again |
/// | `sent`, `sentItems`, `lastSent` | what the server has taken |
/// | `aside`, `asideItems`, `letters` | what was set aside; of the newest `key`, `items`, `attempts`, `reason` |
/// | `lastFailed`, `lastReason` | the last failure |
/// | `unconfirmed` | answers ever that were not those of a server of the form |
/// | `unsaid` | how often the form had no words for something |
enum QueueJSON {
  static func append(_ endpoint: Endpoint, to bytes: inout [UInt8]) {
    bytes.putObject { put(endpoint, to: &$0) }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func put(_ endpoint: Endpoint, to bytes: inout [UInt8]) {
    bytes.put("endpoint", endpoint.name)
    bytes.put("url", endpoint.shownURL)
    bytes.put("template", endpoint.template.rawValue)
    bytes.put("device", endpoint.device?.rawValue)
    bytes.put("as", endpoint.shownAs)
    if endpoint.template == .owntracks { bytes.put("user", endpoint.user) }
    bytes.put("fixes", endpoint.sendsFixes)
    bytes.put("crossings", endpoint.sendsCrossings && !endpoint.template.unsaid.contains(.crossing))
    bytes.put("everyFix", endpoint.terms == nil)
    bytes.put("interval", endpoint.interval)
    bytes.put("batch", endpoint.batchSize)
    bytes.put("gzip", endpoint.compresses)
    bytes.put("authFile", endpoint.authorizationFile)
    bytes.put("caFile", endpoint.authorityFile)
    bytes.put("timeout", endpoint.timeout)
    bytes.put("tries", endpoint.maximumAttempts)
    if endpoint.sendsSimulated { bytes.put("simulated", true) }
  }

  static func append(_ status: UploadStatus, to bytes: inout [UInt8]) {
    bytes.putObject {
      put(status.endpoint, to: &$0)
      $0.put("stopped", status.stopped)
      $0.put("waiting", status.waiting.requests)
      $0.put("waitingItems", status.waiting.items)
      $0.put("waitingCrossings", status.waiting.crossings)
      $0.put("oldest", status.oldest)
      $0.put("unread", status.unread)
      $0.put("attempts", status.attempts)
      $0.put("nextTry", status.nextTry)
      $0.put("sent", status.sent)
      $0.put("sentItems", status.sentItems)
      $0.put("lastSent", status.lastSent)
      $0.put("aside", status.dead.requests)
      $0.put("asideItems", status.dead.items)
      put(status.deadLetters, to: &$0)
      $0.put("lastFailed", status.lastFailed)
      $0.put("lastReason", status.lastReason)
      $0.put("unconfirmed", status.unconfirmed)
      put(status.unsaid, to: &$0)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func put(_ letters: [UploadStatus.DeadLetter], to bytes: inout [UInt8]) {
    guard !letters.isEmpty else { return }
    bytes.put(key: "letters")
    bytes.append(UInt8(ascii: "["))
    for (index, letter) in letters.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.putObject {
        $0.put("key", letter.key)
        $0.put("items", letter.items)
        $0.put("attempts", letter.attempts)
        $0.put("reason", letter.reason)
      }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func put(_ unsaid: [UploadTemplate.Unsaid: Int], to bytes: inout [UInt8]) {
    guard !unsaid.isEmpty else { return }
    bytes.put("unsaid") {
      $0.put("crossing", unsaid[.crossing])
      $0.put("dwell", unsaid[.dwell])
      $0.put("revision", unsaid[.revision])
      $0.put("timeless", unsaid[.timeless])
      $0.put("simulated", unsaid[.simulated])
    }
  }
}
