import WhereaboutsEngine

#if GeoClue && os(Linux)
  import Glibc
  import Testing
  import Whereabouts
  import WhereaboutsGeoClue
  import WhereaboutsSources

  /// Requests answered from sentences by the system's real location service.
  @Suite(
    .enabled(
      if: LocationDaemon.canRun,
      "needs root, namespaces, and: apt-get install dbus geoclue-2.0 geoclue-2-demo"))
  struct GeoClueDaemonTests {
    private func source(_ daemon: LocationDaemon, as desktopID: String = "whereabouts") -> GeoClueSource {
      var settings = GeoClueSettings(desktopID: desktopID, busAddress: daemon.bus.address)
      settings.permissionTimeout = .seconds(2)
      return GeoClueSource(settings)
    }

    // Processes started from a test's threads have blocked signals, so only SIGKILL ends them.

    private let demand = Demand.continuous(Demand.Continuous(accuracy: 10))

    @Test func requestIsAnsweredAndTheReceiverIsOffAfterwards() async throws {
      let daemon = try await LocationDaemon()
      var settings = GeoClueSettings(desktopID: "whereabouts", busAddress: daemon.bus.address)
      // Agent and service start at the same time as the request.
      settings.permissionTimeout = .seconds(600)
      let service = try daemon.start(), agent = try daemon.startAgent()
      let manager = LocationManager(source: GeoClueSource(settings), clock: .system)
      let answer = try #require(await manager.request(.house, timeout: .seconds(1200)).answer)
      let fix = answer.fix
      #expect(abs(fix.coordinate.latitude - 48.858) < 0.02)
      #expect(abs(fix.coordinate.longitude - 2.2945) < 1e-6)
      #expect(fix.horizontalAccuracy == 5, "the service reports 0 for a dilution of 0.8")
      #expect(fix.isAccuracyEstimated)
      #expect(fix.heightAboveGeoid == 35)
      #expect(abs((fix.speed ?? 0) - 1.3375) < 0.001)
      #expect(fix.course == 84.4)
      #expect(fix.source == .geoClue)
      var report = GeoClueReport()
      // The service has one second to create a client, and a busy machine may need longer.
      repeat {
        report = await GeoClueReport.probe(settings, timeout: .seconds(600))
      } while report.isInUse == true || report.hasAgent == false
      #expect(report.availableAccuracy == .exact)
      #expect(report.hasAgent == true)
      #expect(report.isInUse == false)
      await agent.end(with: SIGKILL)
      await service.end(with: SIGKILL)
    }

    /// `GEOCLUE_WITHIN=6` requires an answer within 6 s.
    @Test(arguments: [HostilePeer.Fault.hasNoFix, .sendsNothing])
    func geoClueAnswersWhileGPSDHasNoFix(fault: HostilePeer.Fault) async throws {
      let peer = try await HostilePeer(fault)
      let daemon = try await LocationDaemon()
      let service = try daemon.start(), agent = try daemon.startAgent()
      var settings = GeoClueSettings(desktopID: "whereabouts", busAddress: daemon.bus.address)
      settings.permissionTimeout = .seconds(600)
      while await GeoClueReport.probe(settings, timeout: .seconds(600)).hasAgent != true {
        try #require(service.isRunning && agent.isRunning, "\(service.errors)\(agent.errors)")
        try await Task.sleep(for: .milliseconds(50))
      }
      let source = FailoverSource([
        FailoverSource.Member(Failover.Member(name: "gpsd"), GPSDSource(port: peer.port)),
        FailoverSource.Member(
          Failover.Member(name: "receiver", fallbackCondition: .withoutReceiver),
          ReceiverSource(.serial(path: "/dev/ttyNone0"))),
        FailoverSource.Member(
          Failover.Member(name: "geoclue", isSteady: false), GeoClueSource(settings)),
      ])
      let manager = LocationManager(source: source, clock: .system)
      let began = ContinuousClock.now
      let answer = await manager.request(.house, timeout: .seconds(1200)).answer
      let took = ContinuousClock.now - began
      #expect(answer?.fix.source == .geoClue)
      if let limit = getenv("GEOCLUE_WITHIN").flatMap({ Int(String(cString: $0)) }) {
        #expect(took < .seconds(limit))
      }
      await agent.end(with: SIGKILL)
      await service.end(with: SIGKILL)
      await peer.stop()
    }

    @Test func forbiddenApplicationIsDeniedWithARemedy() async throws {
      let daemon = try await LocationDaemon()
      let service = try daemon.start(), agent = try daemon.startAgent()
      var run = SourceRun(source(daemon, as: "forbidden"))
      run.setDemand(demand)
      let denied = await run.first { signal in
        signal.authorization.flatMap { $0.remedy?.contains("[forbidden]") == true ? $0 : nil }
      }
      #expect(denied?.status == .denied)
      await run.end()
      await agent.end(with: SIGKILL)
      await service.end(with: SIGKILL)
    }

    @Test func sourceIsDeniedUntilAnAgentRuns() async throws {
      let daemon = try await LocationDaemon()
      let service = try daemon.start()
      var run = SourceRun(source(daemon))
      run.setDemand(demand)
      #expect(await run.authorization()?.status == .denied)
      let agent = try daemon.startAgent()
      // On a busy machine the agent may start after a further refusal.
      var status = await run.authorization()?.status
      while status == .denied { status = await run.authorization()?.status }
      #expect(status == .always)
      #expect(await run.fix() != nil)
      await run.end()
      await agent.end(with: SIGKILL)
      await service.end(with: SIGKILL)
    }

    @Test func restartedServiceIsReconnected() async throws {
      let daemon = try await LocationDaemon()
      let agent = try daemon.startAgent()
      var service = try daemon.start()
      var run = SourceRun(source(daemon))
      run.setDemand(demand)
      for round in 0..<3 {
        #expect(await run.fix() != nil, "round \(round)")
        await service.end(with: SIGKILL)
        // On a busy machine the service may be silent before.
        while try #require(await run.problem(), "round \(round)").code != .unreachable {}
        service = try daemon.start()
        #expect(await run.first { $0 == .segmentBegan ? true : nil } == true)
      }
      #expect(await run.fix() != nil)
      await run.end()
      await agent.end(with: SIGKILL)
      await service.end(with: SIGKILL)
    }
  }
#endif
