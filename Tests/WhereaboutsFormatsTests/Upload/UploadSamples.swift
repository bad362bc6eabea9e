import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Items for tests of the templates.
enum UploadSamples {
  static let identity = UploadIdentity(device: "phone", user: "Ann")

  static func encoder(_ template: UploadTemplate) -> UploadEncoder {
    UploadEncoder(template, identity: identity, origin: "o1")
  }

  static func time(_ text: String) -> UTCTime {
    guard let time = UTCTime(iso8601: text) else { preconditionFailure("\(text) is no time") }
    return time
  }

  /// A fix with everything that a template may say.
  static var fix: Fix {
    var fix = Fix.test(
      latitude: 51.4779, longitude: -0.0015, accuracy: 4.6, time: time("2024-05-14T08:26:40.750Z"),
      speed: 13.4, course: 359.7)
    fix.heightAboveGeoid = 46.7
    fix.heightAboveEllipsoid = 92.1
    fix.verticalAccuracy = 0.3
    fix.speedAccuracy = 0.5
    fix.courseAccuracy = 2.25
    fix.horizontalDilution = 0.9
    fix.isSimulated = false
    return fix
  }

  /// A fix with nothing but a place, a time, and numbers that are none.
  static var minimalFix: Fix {
    var fix = Fix.test(latitude: 0, longitude: 0, accuracy: nil, time: time("2024-05-14T08:26:40Z"))
    fix.isSimulated = false
    return fix
  }

  static func item(_ fix: Fix, number: UInt64 = 12) -> UploadItem {
    UploadItem(LoggedFix(fix), number: number)
  }

  static func event(_ kind: FenceEvent.Kind = .exit, id: UInt64 = 17) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(id), fence: "home & \"garden\"", kind: kind, manner: .crossed,
      time: time("2024-05-14T08:27:00.500Z"), timeUncertainty: 1.5,
      lastBefore: time("2024-05-14T08:26:59Z"), firstAfter: time("2024-05-14T08:27:02Z"),
      place: Coordinate(uncheckedLatitude: 51.4781, longitude: -0.0017), confidence: 0.98765,
      decidedBy: minimalFixWithAccuracy(6.4), decided: time("2024-05-14T08:27:02Z"), pending: .seconds(1))
  }

  private static func minimalFixWithAccuracy(_ accuracy: Double) -> Fix {
    var fix = Fix.test(
      latitude: 51.4782, longitude: -0.0018, accuracy: accuracy, time: time("2024-05-14T08:27:02Z"))
    fix.isSimulated = false
    return fix
  }

  static func crossing(_ kind: FenceEvent.Kind = .exit) -> UploadItem {
    guard let item = UploadItem(.event(event(kind)), number: 3) else {
      preconditionFailure("an event is one")
    }
    return item
  }

  static var withdrawal: UploadItem {
    guard let item = UploadItem(.revised(FenceEvent.ID(17), nil), number: 4) else { preconditionFailure() }
    return item
  }
}

extension UploadMessage {
  var text: String { String(decoding: body, as: UTF8.self) }
}
