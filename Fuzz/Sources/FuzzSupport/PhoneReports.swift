import WhereaboutsModel
public import WhereaboutsFormats

/// Reads an input as the body and as the query of an app's request, and traps where a report is not sound.
public func expectSoundReports(_ input: [UInt8], as dialect: PhoneDialect) {
  let arrival = UTCTime(nanosecondsSince1970: 1_715_675_400_000_000_000)
  expectSound(PhoneRequest(body: input, arrival: arrival), as: dialect)
  let query = String(decoding: input, as: UTF8.self)
  expectSound(PhoneRequest(query: query, arrival: arrival), as: dialect)
}

private func expectSound(_ request: PhoneRequest, as dialect: PhoneDialect) {
  let report = dialect.report(from: request)
  guard report == dialect.report(from: request) else { fatalError("the same bytes give another report") }
  let fixes = report.fixes.map(\.fix) + (report.current.map { [$0.fix] } ?? [])
  expectValidElements(fixes.map { .fix($0) })
  expectRoundTrips(fixes.map { .fix($0) })
  for battery in report.fixes.compactMap(\.battery) where !(0...1).contains(battery.level ?? 0) {
    fatalError("a battery of \(battery)")
  }
  for rejection in report.rejections {
    guard rejection.bytes.count <= PhoneRejection.maxBytes, rejection.bytes.count <= rejection.byteCount,
      (0...request.body.count).contains(rejection.byteOffset), !rejection.reason.isEmpty
    else { fatalError("a rejection that is nowhere in the input: \(rejection)") }
  }
  for ciphertext in report.ciphertexts {
    _ = dialect.report(fromOpened: ciphertext.bytes, of: ciphertext, in: request)
  }
  guard (200...201).contains(report.acceptance().status) else { fatalError("a refusal") }
}
