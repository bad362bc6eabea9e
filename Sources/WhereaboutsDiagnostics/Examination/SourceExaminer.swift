import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

/// A parallel examination of one source, of several, or of all sources of this machine. The examiner listens to each
/// source that is present.
package struct SourceExaminer {
  let source: ExaminedSource
  let wait: Duration?
  let showsPosition: Bool

  /// - Parameter wait: the time of listening to each source; `nil` listens until each source has its result.
  package init(source: ExaminedSource, wait: Duration?, showsPosition: Bool) {
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
    let jobs = jobs(during: ListeningPeriod(wait))
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

  /// A gpsd query that runs while other sources are examined. A serial port waits for its result.
  typealias ProbeTask = Task<GPSDProbe?, Never>

  private func jobs(during period: ListeningPeriod) -> [Job] {
    if case .several(let sources) = source {
      return sources.flatMap {
        SourceExaminer(source: $0, wait: wait, showsPosition: showsPosition).jobs(during: period)
      }
    }
    let gpsd = Task { await probeGPSD(timeout: min(period.limit / 2, .seconds(2))) }
    switch source {
    case .automatic:
      let ports = ReceiverPort.attached()
      let receivers = ports.map { receiverJob("nmea:\($0)", ReceiverSource($0), gpsd, during: period) }
      return [gpsdJob(GPSDAddress(), gpsd, during: period)]
        + (receivers.isEmpty ? [noReceiverJob] : receivers) + [geoClueJob(during: period)]
    case .gpsd(let address): return [gpsdJob(address, gpsd, during: period)]
    case .receiver(let receiver, let name): return [receiverJob(name, receiver, gpsd, during: period)]
    case .geoClue: return [geoClueJob(during: period)]
    case .several: return []
    }
  }

  /// - Parameter limit: the longest time, where that of the period is too long.
  func listen(
    _ name: String, _ source: any LocationSource, facts: [String] = [], during period: ListeningPeriod,
    atMost limit: Duration? = nil
  ) async -> Result {
    let start = ContinuousClock.now
    let result = await SourceListener.listen(to: source, during: period, atMost: limit)
    let heard = period.endsWithResult ? ContinuousClock.now - start : period.limit
    return Result(
      finding: SourceFinding(name, result, facts: facts, listeningFor: heard, showsPosition: showsPosition),
      listenResult: result)
  }

  // MARK: - gpsd

  /// Queries gpsd before a serial port is opened, because gpsd may be reading the port.
  private func probeGPSD(timeout: Duration) async -> GPSDProbe? {
    let address = if case .gpsd(let address) = source { address } else { GPSDAddress() }
    return await GPSDProbe.query(host: address.host, port: address.port, timeout: timeout)
  }

  private func gpsdJob(
    _ address: GPSDAddress, _ probing: ProbeTask, during period: ListeningPeriod
  ) -> Job {
    Job(name: address.name) {
      var result = await listen(address.name, address.source, during: period)
      let probe = await probing.value
      let isInstalled = InstalledProgram.path("gpsd") != nil
      // The programs of this machine state nothing about another one.
      let isLocal = address.host == GPSDAddress().host
      result.finding.facts =
        probe?.facts(of: address)
        ?? (isLocal ? [isInstalled ? "gpsd is installed" : "gpsd is not installed"] : [])
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
    _ name: String, _ source: ReceiverSource, _ probing: ProbeTask, during period: ListeningPeriod
  ) -> Job {
    Job(name: name) {
      guard case .serial(let path, _) = source.port else {
        return await listen(name, source, during: period)
      }
      let gpsd = await probing.value
      // Two readers of one port would each lose bytes to the other.
      if let gpsd, gpsd.devices.contains(where: { $0.isActive && DevicePath.isSame($0.path, path) }) {
        let problem = SourceProblem(.inUse, message: "open \(path): gpsd has it")
        var finding = SourceFinding(name: name, state: .inUse, problem: problem)
        finding.remedy = "Use gpsd: `whereabouts now --source gpsd`."
        return Result(finding: finding, listenResult: nil)
      }
      let users = DeviceUser.all(of: path)
      let facts = users.isEmpty ? [] : ["open in \(users.map(\.description).joined(separator: ", "))"]
      return await listen(name, source, facts: facts, during: period)
    }
  }
}
