import Synchronization
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The settings of phones in force, and the reading of requests with them.
final class PhoneRegistry: Sendable {
  private let settings: Mutex<PhonesSettings>
  private let speedUnits = Mutex<[DeviceID: SpeedUnitCheck]>([:])
  private let senders = Mutex<[DeviceID: SharedDeviceCheck]>([:])

  init(_ settings: PhonesSettings) { self.settings = Mutex(settings) }

  /// Takes over new settings.
  func set(_ new: PhonesSettings) { settings.withLock { $0 = new } }

  /// Compares the speeds of a report with its positions.
  ///
  /// - Returns: the unit that they fit rather than the protocol's, once for each protocol since the start of the server;
  ///   `nil` for none.
  func fittingSpeedUnit(of report: PhoneReport, from device: DeviceID) -> PhoneSettings.SpeedUnit? {
    guard report.hasAmbiguousSpeed else { return nil }
    return speedUnits.withLock { checks in
      let unit = report.dialect == .ownTracks ? PhoneSettings.SpeedUnit.kilometresPerHour : .knots
      // Another form has another unit.
      if checks[device]?.unit != unit { checks[device] = SpeedUnitCheck(unit: unit) }
      return report.fixes.compactMap { checks[device]?.process($0.timedFix) }.first
    }
  }

  /// Returns whether the positions of a report show that two phones send as one device.
  ///
  /// - Parameter app: the `User-Agent` field of the request.
  func isShared(_ device: DeviceID, by report: PhoneReport, app: String?) -> Bool {
    guard let newest = report.fixes.max(by: { $0.time < $1.time })?.timedFix else { return false }
    let sender = SharedDeviceCheck.Sender(of: report, app: app)
    return senders.withLock { $0[device, default: SharedDeviceCheck()].process(newest, from: sender) }
  }

  /// Forgets the positions of an erased device.
  func forget(_ device: DeviceID) {
    speedUnits.withLock { $0[device] = nil }
    senders.withLock { $0[device] = nil }
  }

  /// Returns the content of a request of a device, with its encrypted messages opened. A message that can't be opened
  /// is a rejected row.
  ///
  /// - Parameter further: the names of further devices whose rows the request holds.
  func report(
    from request: PhoneRequest, as dialect: PhoneDialect, of device: DeviceID, further: [DeviceID] = []
  ) -> PhoneReport {
    let phones = settings.withLock { $0.phones }
    let phone = phones[device] ?? PhonesSettings.Phone()
    var furtherSettings: [DeviceID: PhoneSettings] = [:]
    for name in further { furtherSettings[name] = phones[name]?.reading ?? PhoneSettings() }
    var report = dialect.report(
      from: request, settings: phone.reading, furtherSettings: furtherSettings)
    let ciphertexts = report.ciphertexts
    report.ciphertexts = []
    for ciphertext in ciphertexts {
      guard dialect == .ownTracks else {
        report.reject(ciphertext, "it is encrypted, which is read from OwnTracks alone")
        continue
      }
      guard let key = phone.key else {
        report.reject(ciphertext, "it is encrypted, and the server has no passphrase of the device")
        continue
      }
      guard let payload = SecretBox.opened(ciphertext.bytes, key: key) else {
        report.reject(ciphertext, "it is encrypted with another passphrase than the server has")
        continue
      }
      let opened = dialect.report(
        fromOpened: payload, of: ciphertext, in: request, settings: phone.reading)
      report.add(opened, of: ciphertext)
    }
    return report
  }
}
