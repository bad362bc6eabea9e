import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsTesting

/// The dialects must read the output of the upload encoders.
@Suite struct PhoneRoundTripTests {
  private static func dialect(_ template: UploadTemplate) -> PhoneDialect {
    switch template {
    case .whereabouts: .whereabouts
    case .owntracks: .ownTracks
    case .overland: .overland
    case .osmand, .traccar: .osmAnd
    }
  }

  private static func report(_ template: UploadTemplate, _ items: [UploadItem], usesForm: Bool = false)
    -> PhoneReport?
  {
    var encoder = UploadEncoder(template, identity: UploadSamples.identity, origin: "o1", usesForm: usesForm)
    encoder.sendsSimulated = true
    guard let message = encoder.message(items, key: "k1", at: PhoneSamples.arrival) else { return nil }
    let request = PhoneRequest(
      query: message.query ?? "", contentType: message.fields.first?.value, body: message.body,
      arrival: PhoneSamples.arrival)
    return dialect(template).report(from: request)
  }

  @Test(arguments: UploadTemplate.allCases, [false, true])
  func uploadedFixIsRead(_ template: UploadTemplate, usesForm: Bool) throws {
    let items = [
      UploadSamples.item(UploadSamples.fix), UploadSamples.item(UploadSamples.minimalFix, number: 13),
    ]
    for (index, item) in items.enumerated() {
      let report = try #require(Self.report(template, [item], usesForm: usesForm))
      #expect(report.rejectionCount == 0 && report.ignoredValueCount == 0, "\(report)")
      #expect(report.identity.device == "phone")
      let read = try #require(report.fixes.first)
      let expected = index == 0 ? UploadSamples.fix : UploadSamples.minimalFix
      #expect(read.fix.coordinate == expected.coordinate)
      #expect(abs(read.time.seconds(since: expected.time ?? PhoneSamples.arrival)) < 1)
      expectNear(read.fix.horizontalAccuracy, expected.horizontalAccuracy, 0.5)
      expectNear(read.fix.speed, expected.speed, 0.5)
      expectNear(read.fix.heightAboveGeoid, expected.heightAboveGeoid, 0.5)
      if template != .owntracks { expectNear(read.fix.course, expected.course, 0.5) }
    }
  }

  private func expectNear(_ read: Double?, _ written: Double?, _ tolerance: Double) {
    #expect((read == nil) == (written == nil))
    guard let read, let written else { return }
    let difference = abs(read - written)
    #expect(min(difference, abs(difference - 360)) <= tolerance)
  }

  @Test(arguments: UploadTemplate.allCases, [FenceEvent.Kind.enter, .exit, .dwell])
  func uploadedCrossingIsRead(_ template: UploadTemplate, _ kind: FenceEvent.Kind) throws {
    guard let report = Self.report(template, [UploadSamples.crossing(kind)]) else {
      #expect(template == .overland || (template == .owntracks && kind == .dwell))
      return
    }
    let event = UploadSamples.event(kind)
    let transition = try #require(report.transitions.first)
    #expect(report.fixes.isEmpty && report.rejectionCount == 0, "the place was computed")
    #expect(transition.kind.rawValue == kind.rawValue && transition.regionID == event.fence.name)
    #expect(transition.coordinate == event.place)
    #expect(abs(transition.time.seconds(since: event.time)) < 1)
    expectNear(transition.horizontalAccuracy, event.decidedBy.horizontalAccuracy, 0.5)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>) func everyFixRoundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for template in UploadTemplate.allCases {
      let fix = random.fix()
      guard let report = Self.report(template, [UploadSamples.item(fix)]) else { continue }
      #expect(report.rejectionCount == 0, "seed \(seed), \(template)")
      let read = try #require(report.fixes.first, "seed \(seed), \(template)")
      #expect(read.fix.coordinate == fix.coordinate, "seed \(seed), \(template)")
      if template == .whereabouts { #expect(read.fix == fix, "seed \(seed)") }
      if template == .traccar || template == .osmand || template == .whereabouts {
        #expect(read.fix.isSimulated == fix.isSimulated, "seed \(seed), \(template)")
      }
    }
  }

  @Test func ourOwnBatchIsRead() throws {
    var timeless = UploadSamples.fix
    timeless.time = nil
    var item = UploadSamples.item(timeless, number: 14)
    item.time = UploadSamples.time("2024-05-14T08:28:00Z")
    let items = [
      UploadSamples.item(UploadSamples.fix), UploadSamples.crossing(), item, UploadSamples.withdrawal,
    ]
    let report = try #require(Self.report(.whereabouts, items))
    #expect(report.fixes.map(\.fix) == [UploadSamples.fix, timeless])
    #expect(report.fixes.map(\.time) == [UploadSamples.fix.time, item.time])
    #expect(report.transitions.count == 1 && report.rejectionCount == 0)
    #expect(report.otherMessages.counts.map(\.name) == ["revised"])
  }
}
