import Whereabouts
package import WhereaboutsModel
package import WhereaboutsFormats
import WhereaboutsReports
package import WhereaboutsStore
package import WhereaboutsUploadQueue

/// Endpoints and their queues as text.
package enum QueueText {
  /// Returns a description of the endpoint's content.
  package static func content(_ endpoint: Endpoint) -> [String] {
    var parts = [endpoint.template.rawValue]
    if let shown = endpoint.shownAs { parts.append("as \(shown)") }
    if let device = endpoint.device, device != .this { parts.append("of \(device)") }
    if endpoint.device == nil { parts.append("of every device") }
    switch (
      endpoint.sendsFixes,
      endpoint.sendsCrossings && !endpoint.template.unsupportedContent.contains(.crossing)
    ) {
    case (true, true): parts.append("fixes and crossings")
    case (true, false): parts.append("fixes")
    default: parts.append("crossings")
    }
    if endpoint.sendsFixes { parts.append(terms(endpoint.terms)) }
    return parts
  }

  private static func terms(_ terms: AcceptanceTerms?) -> String {
    guard let terms else { return "every fix" }
    let isWalking = terms.activity == .walk || terms.activity == .run
    let apart = isWalking ? terms.walkingDistanceFilter : terms.distanceFilter
    return "of \(Quantities.accuracy(terms.requiredAccuracy)), "
      + "\(Quantities.length(apart)) and \(Quantities.duration(terms.recencyThreshold.inSeconds)) apart"
  }

  /// Returns a description of the sending options.
  package static func sending(_ endpoint: Endpoint) -> [String] {
    var parts = ["within \(Quantities.duration(endpoint.interval.inSeconds))"]
    if endpoint.template.allowsBatches { parts.append("\(endpoint.batchSize) in a request") }
    if endpoint.compresses { parts.append("compressed") }
    if endpoint.authorizationFile != nil { parts.append("with credentials") }
    if endpoint.authorityFile != nil { parts.append("with an authority of its own") }
    return parts
  }

  /// Returns the state of an endpoint, one line for each value.
  package static func lines(_ status: UploadStatus, now: UTCTime) -> [(String, String)] {
    var lines = [("Endpoint", status.endpoint.name), ("Where", status.endpoint.redactedURL)]
    lines.append(("What", content(status.endpoint).joined(separator: ", ")))
    lines.append(("State", state(status, now: now)))
    var waiting = count(status.waiting)
    if let oldest = status.oldest { waiting += ", the oldest from \(oldest.dateText) \(oldest.clockText)" }
    lines.append(("Waiting", waiting))
    if status.unreadFixes > 0 {
      lines.append(("To come", "\(Quantities.count(status.unreadFixes, "fix", "fixes")) not looked at yet"))
    }
    var sent = Quantities.count(status.sent, "request")
    if status.sent > 0 { sent += " with \(Quantities.count(status.sentItems, "item"))" }
    if let last = status.lastSent { sent += ", the last \(ago(last, now))" }
    lines.append(("Sent", sent))
    if status.dead.requests > 0 {
      let name = status.endpoint.name
      lines.append(
        (
          "Aside",
          "\(count(status.dead)). `whereabouts queue retry \(name)` sends them again, `queue purge` deletes them"
        ))
    }
    for letter in status.deadLetters.prefix(5) {
      lines.append(("", "\(Quantities.count(letter.items, "item")): \(letter.reason)"))
    }
    if let reason = status.lastReason, let failed = status.lastFailed {
      lines.append(("Failure", "\(ago(failed, now)): \(reason)"))
    }
    if status.unconfirmed > 0 {
      lines.append(("Unclear", unconfirmed(status.unconfirmed, status.endpoint.template)))
    }
    for (unsupported, count) in status.unsupported.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append(
        (
          "Omitted",
          "\(count.grouped) × \(text(unsupported)), which \(status.endpoint.template.rawValue) cannot express"
        ))
    }
    return lines
  }

  static func unconfirmed(_ count: Int, _ template: UploadTemplate) -> String {
    "\(Quantities.count(count, "answer")) not from a server for \(template.rawValue), such as a login page; the data is kept"
  }

  /// Returns the message of a failed flush, with the command that resumes the endpoint if it is stopped.
  package static func failure(_ reason: String, of name: String, in store: SQLiteStore) -> String {
    let status = try? store.uploadStatus().first { $0.endpoint.name == name }
    return "could not send to \(name): \(status?.stopReason == nil ? reason : resumable(reason, name))"
  }

  private static func resumable(_ reason: String, _ name: String) -> String {
    "\(reason). `whereabouts queue retry \(name)` resumes it"
  }

  private static func state(_ status: UploadStatus, now: UTCTime) -> String {
    if let reason = status.stopReason { return "stopped: \(resumable(reason, status.endpoint.name))" }
    guard status.attempts > 0 else { return status.waiting.requests == 0 ? "nothing waits" : "to be sent" }
    let tries = Quantities.count(status.attempts, "time")
    guard let next = status.nextTry, next > now else { return "failed \(tries), to be tried again" }
    return "failed \(tries), tried again in \(Quantities.duration(next.seconds(since: now).rounded(.up)))"
  }

  private static func count(_ count: UploadStatus.Count) -> String {
    guard count.requests > 0 else { return "nothing" }
    return "\(Quantities.count(count.requests, "request")) with \(Quantities.count(count.items, "item"))"
  }

  private static func ago(_ time: UTCTime, _ now: UTCTime) -> String {
    "\(Quantities.duration(max(0, now.seconds(since: time)).rounded())) ago"
  }

  package static func text(_ unsupported: UploadTemplate.UnsupportedContent) -> String {
    switch unsupported {
    case .crossing: "a crossing"
    case .dwell: "a dwell"
    case .revision: "a revision"
    case .timeless: "a fix without a time"
    case .simulated: "something simulated (--simulated sends it)"
    }
  }
}
