import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

/// A parallel examination of every source. The examiner listens to each source that is present.
package struct SourceExaminer {
  let source: ExaminedSource
  let wait: Duration
  let showsPosition: Bool

  package init(source: ExaminedSource, wait: Duration, showsPosition: Bool) {
    self.source = source
    self.wait = wait
    self.showsPosition = showsPosition
  }

  /// A finding and the signals behind the finding. The clock check uses the signals.
  package struct Result {
    package var finding: SourceFinding
    package var listenResult: ListenResult?
  }

  /// Examines all sources.
  ///
  /// - Parameter progress: called with the names of the sources that are still in progress.
  package func run(_ progress: @Sendable @escaping ([String]) async -> Void) async -> [Result] {
    let deadline = ContinuousClock.now + wait
    let jobs = jobs(until: deadline)
    var open = Set(jobs.map(\.name))
    await progress(open.sorted())
    return await withTaskGroup(of: (Int, Result).self) { group in
      for (index, job) in jobs.enumerated() { group.addTask { (index, await job.run()) } }
      var results: [Int: Result] = [:]
      for await (index, result) in group {
        results[index] = result
        open.remove(jobs[index].name)
        await progress(open.sorted())
      }
      return jobs.indices.compactMap { results[$0] }
    }
  }

  struct Job: Sendable {
    var name: String
    var run: @Sendable () async -> Result
  }

  /// A gpsd query that runs while other sources are examined.
  typealias ProbeTask = Task<GPSDProbe?, Never>

  private func jobs(until deadline: ContinuousClock.Instant) -> [Job] {
    if case .several(let sources) = source {
      return sources.flatMap {
        SourceExaminer(source: $0, wait: wait, showsPosition: showsPosition).jobs(until: deadline)
      }
    }
    let gpsd = Task { await probeGPSD() }
    switch source {
    case .automatic:
      let ports = ReceiverPort.attached()
      let receivers = ports.map { receiverJob("nmea:\($0)", ReceiverSource($0), gpsd, until: deadline) }
      return [gpsdJob(GPSDAddress(), gpsd, until: deadline)]
        + (receivers.isEmpty ? [noReceiverJob] : receivers) + [geoClueJob(until: deadline)]
    case .gpsd(let address): return [gpsdJob(address, gpsd, until: deadline)]
    case .receiver(let receiver, let name): return [receiverJob(name, receiver, gpsd, until: deadline)]
    case .geoClue: return [geoClueJob(until: deadline)]
    case .several: return []
    }
  }

  func listen(
    _ name: String, _ source: any LocationSource, facts: [String] = [],
    until deadline: ContinuousClock.Instant
  ) async -> Result {
    let result = await SourceListener.listen(to: source, until: deadline)
    return Result(
      finding: SourceFinding(name, result, facts: facts, listeningFor: wait, showsPosition: showsPosition),
      listenResult: result)
  }

  // MARK: - gpsd

  /// Queries gpsd before a serial port is opened, because gpsd may be reading the port.
  private func probeGPSD() async -> GPSDProbe? {
    let address = if case .gpsd(let address) = source { address } else { GPSDAddress() }
    return await GPSDProbe.query(
      host: address.host, port: address.port, timeout: min(wait / 2, .seconds(2)))
  }

  private func gpsdJob(
    _ address: GPSDAddress, _ probing: ProbeTask, until deadline: ContinuousClock.Instant
  ) -> Job {
    Job(name: address.name) {
      var result = await listen(address.name, address.source, until: deadline)
      let probe = await probing.value
      let isInstalled = InstalledProgram.path("gpsd") != nil
      result.finding.facts = probe?.facts ?? [isInstalled ? "gpsd is installed" : "gpsd is not installed"]
      if probe == nil, result.finding.state == .absent, address == GPSDAddress() {
        result.finding.remedy =
          isInstalled
          ? "Run `sudo systemctl start gpsd.socket`, or let a receiver be read without it."
          : "It is needed only where several programs use one receiver: `sudo apt install gpsd`."
      }
      return result
    }
  }

  // MARK: - Receivers

  private var noReceiverJob: Job {
    Job(name: "nmea") {
      let problem = SourceProblem(
        .noReceiver, message: "find a receiver: nothing that may be one is plugged in")
      var finding = SourceFinding(name: "nmea", state: .absent, problem: problem)
      finding.remedy =
        "Plug one in, or name where it is: `--source nmea:/dev/ttyS0`, `--source nmea:tcp://HOST:10110`."
      return Result(finding: finding, listenResult: nil)
    }
  }

  private func receiverJob(
    _ name: String, _ source: ReceiverSource, _ probing: ProbeTask, until deadline: ContinuousClock.Instant
  ) -> Job {
    Job(name: name) {
      guard case .serial(let path, _) = source.port else {
        return await listen(name, source, until: deadline)
      }
      let gpsd = await probing.value
      // Two readers of one port would each lose bytes to the other.
      if let gpsd, gpsd.devices.contains(where: { $0.isActive && DeviceFile.isSame($0.path, path) }) {
        let problem = SourceProblem(.inUse, message: "open \(path): gpsd has it")
        var finding = SourceFinding(name: name, state: .inUse, problem: problem)
        finding.remedy = "Use gpsd: `whereabouts now --source gpsd`."
        return Result(finding: finding, listenResult: nil)
      }
      let users = DeviceUser.all(of: path)
      let facts = users.isEmpty ? [] : ["open in \(users.map(\.description).joined(separator: ", "))"]
      return await listen(name, source, facts: facts, until: deadline)
    }
  }
}
