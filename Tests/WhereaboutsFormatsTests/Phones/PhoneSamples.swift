import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Requests of apps, and reports of them as short text.
enum PhoneSamples {
  /// The time of arrival of all requests.
  static let arrival = time("2024-05-14T08:30:00Z")

  static func time(_ text: String) -> UTCTime {
    guard let time = UTCTime(iso8601: text) else { preconditionFailure("\(text) is no time") }
    return time
  }

  static func report(
    _ dialect: PhoneDialect, _ body: String = "", query: String = "", userAgent: String? = nil,
    user: String? = nil, device: String? = nil, unit: PhoneSettings.SpeedUnit? = nil,
    arrival: UTCTime = arrival
  ) -> PhoneReport {
    dialect.report(
      from: PhoneRequest(
        query: query, userAgent: userAgent, user: user, device: device, body: Array(body.utf8),
        arrival: arrival),
      settings: PhoneSettings(speedUnit: unit))
  }

  /// The only position of a request, as text; the reason of a rejection if there is none.
  static func fix(
    _ dialect: PhoneDialect, _ body: String = "", query: String = "", userAgent: String? = nil,
    unit: PhoneSettings.SpeedUnit? = nil
  ) -> String {
    let report = report(dialect, body, query: query, userAgent: userAgent, unit: unit)
    let fixes = report.fixes.map(text) + report.rejections.map { "\($0.kind.rawValue): \($0.reason)" }
    return fixes.joined(separator: "; ")
  }

  /// The values of a position that are present.
  static func text(_ phone: PhoneFix) -> String {
    let fix = phone.fix
    var words = ["\(fix.coordinate.latitude),\(fix.coordinate.longitude)"]
    words.append("\(phone.timeOrigin == .stated ? "" : "\(phone.timeOrigin)=")\(phone.time.iso8601)")
    func add(_ name: String, _ value: Double?) {
      guard let value else { return }
      words.append("\(name)=\((value * 1000).rounded() / 1000)")
    }
    add("hacc", fix.horizontalAccuracy)
    add("alt", fix.heightAboveGeoid)
    add("altHAE", fix.heightAboveEllipsoid)
    add("vacc", fix.verticalAccuracy)
    add("speed", fix.speed)
    add("speedAcc", fix.speedAccuracy)
    add("course", fix.course)
    add("courseAcc", fix.courseAccuracy)
    add("hdop", fix.horizontalDilution.map { Double($0) })
    add("used", fix.satellitesUsed.map { Double($0) })
    add("battery", phone.battery?.level)
    if let isCharging = phone.battery?.isCharging { words.append(isCharging ? "charging" : "unplugged") }
    if fix.isSimulated { words.append("simulated") }
    return words.joined(separator: " ")
  }
}

extension PhoneReply {
  var text: String { String(decoding: body, as: UTF8.self) }
}
