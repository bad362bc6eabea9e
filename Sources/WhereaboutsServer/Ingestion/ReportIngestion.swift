import Foundation
import Logging
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// The storing of a phone's report, over any protocol.
struct ReportIngestion: Sendable {
  /// The greatest number of fences for a phone. Android watches 100 of an app, iOS 20; the server watches all.
  private static let fencesPerPhone = 100

  private let core: ServerCore
  /// The token of the request; `nil` without one, as from a broker.
  private let token: AccessToken?
  /// The `User-Agent` field of the request; `nil` without one.
  private let app: String?

  init(_ core: ServerCore, token: AccessToken? = nil, app: String? = nil) {
    self.core = core
    self.token = token
    self.app = app
  }

  /// Stores the positions of a report and sets aside the unusable rows.
  ///
  /// - Returns: the acknowledgement that the app expects.
  /// - Throws: ``IngestionError`` if the store can't be written, or the token is revoked. Repeated positions are recognised.
  func store(
    _ report: PhoneReport, arrival: UTCTime, of device: DeviceID
  ) async throws(IngestionError) -> PhoneReply {
    var report = report
    guard try accepts(device) else {
      // The phone could never send them successfully.
      let impossible = report.rejectFixes { _ in true }.map { PhoneRejection($0, ofImpossible: device) }
      try reject(report.rejections + impossible, of: report.dialect, nil, arrival: arrival)
      core.metrics.countRejectedRows(report.rejectionCount)
      return report.acceptance()
    }
    // The engine refuses a position from the future without a record, so that it would be lost.
    let earlyFixes = report.rejectFixes { Self.isEarly($0, arrival: arrival) }
    let early = earlyFixes.map { PhoneRejection(future: $0, by: $0.time.since(arrival)) }
    let session = await core.devices.retain(device)
    // Behind an erasure of the device, whose tokens are erased, too: its fixes would bring it back.
    if let token, !core.tokens.isValid(token, at: .now) {
      await core.devices.release(session)
      throw .unauthorized
    }
    // While the device is used: an erasure before or after it is complete.
    let hasNewBattery = core.batteries.update(report, arrival: arrival, of: device)
    var outcome = await ingest(report.fixes.map(\.timedFix), into: session)
    if case .success = outcome {
      // A phone sends a refused request again, with the unusable rows.
      do throws(IngestionError) {
        try reject(report.rejections + early, of: report.dialect, device, arrival: arrival)
      } catch {
        outcome = .failure(error)
      }
    }
    var reply = report.acceptance()
    // A refused request gets no reply: the phone still needs the fences then.
    if case .success(let result) = outcome {
      reply = acceptance(of: report, session, isRepeated: result.repeated > 0)
      checkSpeedUnit(of: report, from: device)
      checkSender(of: report, from: device)
      checkClock(by: earlyFixes, from: device, arrival: arrival)
    }
    // Behind the fixes, so that one state has both.
    if hasNewBattery { core.hub.batteryChanged(of: device) }
    await core.devices.release(session)
    let result = try outcome.get()
    core.metrics.countRejectedRows(report.rejectionCount)
    core.metrics.countFixes(stored: result.stored, repeated: result.repeated)
    return reply
  }

  /// Returns whether the time of a position is too far ahead of its arrival.
  static func isEarly(_ position: PhoneFix, arrival: UTCTime) -> Bool {
    position.time.since(arrival) > SourceSignal.AgeRule.futureTolerance
  }

  /// Returns whether the store has a device or can have it. The positions of another one are set aside.
  func accepts(_ device: DeviceID) throws(IngestionError) -> Bool {
    do throws(StoreError) { return try core.store.accepts(device) } catch {
      throw IngestionError(cause: error)
    }
  }

  /// Warns once of a phone whose speeds are read in a wrong unit. The distances of its trips are wrong.
  private func checkSpeedUnit(of report: PhoneReport, from device: DeviceID) {
    guard let unit = core.phones.fittingSpeedUnit(of: report, from: device) else { return }
    core.logger.warning(
      """
      the speeds of a phone fit another unit than the one they are read in; set its speedUnit in the file of PHONES, or in \
      the URL that OsmAnd sends to
      """,
      metadata: ["device": "\(device)", "speedUnit": "\(unit.rawValue)"])
  }

  /// Warns of a device that two phones send as. Its track and its distances are those of neither.
  private func checkSender(of report: PhoneReport, from device: DeviceID) {
    guard core.phones.isShared(device, by: report, app: app),
      core.sharedDevices.claimLine(about: device, at: ContinuousClock.now)
    else { return }
    var metadata: Logger.Metadata = ["device": "\(device)"]
    if let token { metadata["tokenID"] = "\(token.id)" }
    core.logger.warning(
      "two phones send as one device, which jumps between them; give each phone a device and a token of its own",
      metadata: metadata)
  }

  /// Warns of a clock that is wrong, this machine's or the phone's: the app shows the fixes as delivered, and erases
  /// them.
  private func checkClock(by earlyFixes: [PhoneFix], from device: DeviceID, arrival: UTCTime) {
    guard let ahead = earlyFixes.map({ $0.time.since(arrival) }).max(),
      core.earlyFixes.claimLine(about: device, at: ContinuousClock.now)
    else { return }
    core.logger.warning(
      """
      fixes of a phone are ahead of this machine's clock and are set aside: this clock or the phone's is wrong. \
      Synchronise the wrong one; timedatectl shows the state of this machine's
      """, metadata: ["device": "\(device)", "ahead": "\(Quantities.duration(ahead.inSeconds))"])
  }

  private func ingest(
    _ fixes: [Fix], into session: DeviceSession
  ) async -> Result<IngestionResult, IngestionError> {
    do throws(IngestionError) {
      return .success(try await session.ingest(fixes))
    } catch {
      // A phone repeats a refused request for as long as the disk is full, and the log must not fill it.
      if !error.isLogged {
        core.logger.error("fixes not stored", metadata: ["code": "\(error.cause.code)"])
      }
      return .failure(error)
    }
  }

  private func reject(
    _ rejections: [PhoneRejection], of dialect: PhoneDialect, _ device: DeviceID?, arrival: UTCTime
  ) throws(IngestionError) {
    guard !rejections.isEmpty else { return }
    let rows = rejections.map { rejection in
      let byte = rejection.byteOffset > 0 ? ", byte \(rejection.byteOffset)" : ""
      return RejectedRow(
        device: device, arrival: arrival, dialect: dialect.rawValue,
        place: "row \(rejection.row + 1)\(byte)", reason: rejection.reason, bytes: rejection.bytes)
    }
    do throws(StoreError) { try core.store.append(rows) } catch { throw IngestionError(cause: error) }
  }

  /// Returns the app's answer, with the server's fences where the app asks for them or, by OwnTracks, does not have
  /// them yet.
  private func acceptance(
    of report: PhoneReport, _ session: DeviceSession, isRepeated: Bool
  ) -> PhoneReply {
    let snapshot = core.fences.snapshot
    let isFew = snapshot.registry.count <= Self.fencesPerPhone
    switch report.dialect {
    case .ownTracks where isFew && (!report.fixes.isEmpty || report.hasPing):
      guard session.needsFences(of: snapshot.revision, isRepeated: isRepeated) else {
        return report.acceptance()
      }
      return report.acceptance(fences: snapshot.registry.fences, removed: snapshot.removedCircles)
    // Its app asks for zones and for the time zone.
    case .homeAssistant:
      return report.acceptance(
        fences: isFew ? snapshot.registry.fences : [], timeZone: core.devices.zone.identifier)
    default: return report.acceptance()
    }
  }
}

extension PhoneReport {
  /// Whether the report has a ping of OwnTracks. A phone at rest may send nothing else.
  fileprivate var hasPing: Bool { otherMessages.counts.contains { $0.name == "ping" } }
}

extension PhoneRejection {
  /// Creates the rejection of a position from the future.
  fileprivate init(future position: PhoneFix, by ahead: Duration) {
    let duration = Quantities.duration(ahead.inSeconds)
    self.init(.badTime, position, reason: "the time is \(duration) ahead of the server's clock")
  }

  /// Creates the rejection of a position of a device that the store can't have.
  fileprivate init(_ position: PhoneFix, ofImpossible device: DeviceID) {
    self.init(
      .malformed, position, reason: "\(device.reasonOfInvalidity); give the phone another name")
  }

  private init(_ kind: InputProblem.Kind, _ position: PhoneFix, reason: String) {
    var bytes: [UInt8] = []
    bytes.appendJSON(position.timedFix)
    self.init(
      kind: kind, reason: reason, row: position.row, byteOffset: 0, bytes: bytes, byteCount: bytes.count)
  }
}
