#if GeoClue && os(Linux)
  import Testing
  import Whereabouts
  import WhereaboutsGeoClue

  /// The source on a real bus, with a scripted service for cases that the real one can't produce on demand.
  @Suite(
    .enabled(if: isInstalled("dbus-daemon"), "dbus-daemon is not installed: apt-get install dbus"))
  struct GeoClueServiceTests {
    private let demand = Demand.continuous(Demand.Continuous(accuracy: 10))

    private func settings(_ bus: PrivateBus, patience: Duration = .milliseconds(300)) -> GeoClueSettings {
      var settings = GeoClueSettings(desktopID: "whereabouts", busAddress: bus.address)
      settings.permissionTimeout = patience
      settings.positionTimeout = patience
      return settings
    }

    private func location(
      latitude: Double = 48.85, accuracy: Double = 12, seconds: UInt64 = 1_795_282_170
    ) -> BusValue {
      .properties([
        "Latitude": .double(latitude), "Longitude": .double(2.29), "Accuracy": .double(accuracy),
        "Altitude": .double(-.greatestFiniteMagnitude), "Speed": .double(-1), "Heading": .double(-1),
        "Description": .text(""), "Timestamp": .structure([.uint64(seconds), .uint64(0)]),
      ])
    }

    /// Waits for the next call of a member.
    private func nextCall(
      _ member: String, of calls: inout AsyncStream<ScriptedService.Call>.Iterator
    ) async -> ScriptedService.Call? {
      while let call = await calls.next() {
        if call.member == member { return call }
      }
      return nil
    }

    @Test func fixesArriveAndTheClientIsDeletedWithoutDemand() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address)
      var calls = service.calls.makeAsyncIterator()
      var source = SourceRun(GeoClueSource(settings(bus, patience: .seconds(300))))
      source.setDemand(demand)
      #expect(await nextCall("Start", of: &calls) != nil)
      service.setLocation(location())
      #expect(await source.next()?.fix?.horizontalAccuracy == 12)
      source.setDemand(.off)
      #expect(await nextCall("Stop", of: &calls) != nil)
      #expect(await nextCall("gone", of: &calls) != nil, "the connection to the bus is closed")
      await service.end()
    }

    @Test func missingAgentIsDeniedInTimeAndFixesFollowItsStart() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address, .init(admitsClients: false))
      var calls = service.calls.makeAsyncIterator()
      var source = SourceRun(GeoClueSource(settings(bus)))
      source.setDemand(demand)
      let denial = try #require(await source.authorization())
      #expect(denial.status == .denied)
      #expect(try #require(denial.remedy).contains("agent"))
      service.admitClients()
      // An answer that comes late on a busy machine is reported before.
      #expect(await source.first { $0.authorization?.status == .always ? true : nil } == true)
      #expect(await nextCall("Start", of: &calls) != nil)
      service.setLocation(location())
      #expect(await source.fix() != nil)
      await service.end()
    }

    @Test func denialEndsARequestWithARemedy() async throws {
      let bus = try await PrivateBus()
      let refusal = ScriptedService.StartAnswer.no("org.freedesktop.DBus.Error.AccessDenied", "no")
      let service = try await ScriptedService(address: bus.address, .init(start: refusal))
      let manager = LocationManager(
        source: GeoClueSource(settings(bus, patience: .seconds(300))), clock: .system)
      let outcome = await manager.request(.house, timeout: nil).outcome
      guard case .unauthorized(let authorization) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(try #require(authorization.remedy).contains("whereabouts"))
      service.behavior.start = .yes
      var calls = service.calls.makeAsyncIterator()
      let again = manager.request(.city, timeout: nil)
      #expect(await nextCall("gone", of: &calls) != nil, "the client leaves the bus after the denial")
      #expect(await nextCall("Start", of: &calls) != nil, "a new request starts a new client")
      let now = wallSeconds()
      service.setLocation(location(seconds: now))
      #expect(await again.answer?.fix.horizontalAccuracy == 12)
      await service.end()
    }

    @Test func unansweredStartIsReportedAsUndetermined() async throws {
      var status: Authorization.Status?
      // On a busy machine the service may create the client too late, which is another state.
      for patience in [0.3, 5, 60] where status != .notDetermined {
        let bus = try await PrivateBus()
        let service = try await ScriptedService(address: bus.address, .init(start: .never))
        var source = SourceRun(GeoClueSource(settings(bus, patience: .seconds(patience))))
        source.setDemand(demand)
        status = await source.authorization()?.status
        await service.end()
      }
      #expect(status == .notDetermined)
    }

    @Test func silenceIsReportedAsNoPosition() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address)
      var source = SourceRun(GeoClueSource(settings(bus)))
      source.setDemand(demand)
      #expect(await source.problem()?.code == .noPosition)
      service.setLocation(location())
      #expect(await source.fix() != nil)
      await service.end()
    }

    @Test func vanishedLocationObjectIsNoProblem() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address, .init(retainsLocations: false))
      var calls = service.calls.makeAsyncIterator()
      var source = SourceRun(GeoClueSource(settings(bus, patience: .seconds(300))))
      source.setDemand(demand)
      #expect(await nextCall("Start", of: &calls) != nil)
      service.setLocation(location(latitude: 1))
      #expect(await nextCall("GetAll", of: &calls) != nil)
      service.behavior.retainsLocations = true
      service.setLocation(location(latitude: 2))
      #expect(await source.next()?.fix?.coordinate.latitude == 2)
      await service.end()
    }

    @Test func zeroAccuracyIsIgnored() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address)
      var calls = service.calls.makeAsyncIterator()
      var source = SourceRun(GeoClueSource(settings(bus, patience: .seconds(300))))
      source.setDemand(demand)
      #expect(await nextCall("Start", of: &calls) != nil)
      service.setLocation(location(accuracy: 0))
      let fix = try #require(await source.fix())
      #expect(fix.horizontalAccuracy == 5)
      #expect(fix.isAccuracyEstimated)
      await service.end()
    }

    @Test func fixesContinueAfterTimeStepsBack() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address)
      var calls = service.calls.makeAsyncIterator()
      let source = GeoClueSource(settings(bus, patience: .seconds(300)))
      let manager = LocationManager(source: source, clock: .system)
      let received = Task {
        var latitudes: [Double] = []
        for await fix in manager.fixes(.house, keeping: .all(upTo: 100)) {
          latitudes.append(fix.coordinate.latitude)
          if fix.coordinate.latitude > 48.000065 { break }
        }
        return latitudes
      }
      #expect(await nextCall("Start", of: &calls) != nil)
      let now = wallSeconds()
      // The host's clock is set back by an hour: a few fixes count as late, and then the new time is accepted.
      for step in 0..<8 as Range<UInt64> {
        let seconds = step < 3 ? now - 100 + step : now - 3700 + step
        service.setLocation(location(latitude: 48 + Double(step) / 100_000, seconds: seconds))
        #expect(await nextCall("GetAll", of: &calls) != nil)
      }
      let latitudes = await received.value
      #expect(latitudes.count >= 5)
      #expect(latitudes == latitudes.sorted())
      await service.end()
    }

    @Test func restartedServiceIsReconnected() async throws {
      let bus = try await PrivateBus()
      var service = try await ScriptedService(address: bus.address)
      var source = SourceRun(GeoClueSource(settings(bus, patience: .seconds(300))))
      source.setDemand(demand)
      for round in 0..<5 {
        var calls = service.calls.makeAsyncIterator()
        #expect(await nextCall("Start", of: &calls) != nil)
        service.setLocation(location())
        let signals = [await source.next(), round > 0 ? await source.next() : nil].compactMap { $0 }
        #expect(signals.first == (round > 0 ? .segmentBegan : signals.first))
        #expect(signals.last?.fix != nil, "round \(round): \(signals)")
        await service.end()
        #expect(await source.problem()?.code == .unreachable)
        let began = ContinuousClock.now
        service = try await ScriptedService(address: bus.address)
        var again = service.calls.makeAsyncIterator()
        if round < 4 { continue }
        #expect(await nextCall("GetClient", of: &again) != nil)
        #expect(ContinuousClock.now - began < .seconds(300), "immediate on an idle machine")
      }
      await service.end()
    }

    @Test func missingServiceOrBusIsReportedWithARemedy() async throws {
      let bus = try await PrivateBus()
      var source = SourceRun(GeoClueSource(settings(bus)))
      source.setDemand(demand)
      let missing = try #require(await source.problem())
      #expect(try #require(missing.remedy).contains("geoclue-2.0"))
      await bus.end()
      let gone = try #require(await source.problem())
      #expect(try #require(gone.remedy).contains("dbus"))
      await source.end()
    }

    @Test func disablingLocationIsReportedWhileRunning() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address)
      var calls = service.calls.makeAsyncIterator()
      var source = SourceRun(GeoClueSource(settings(bus, patience: .seconds(300))))
      source.setDemand(demand)
      #expect(await nextCall("Start", of: &calls) != nil)
      service.setLocation(location())
      #expect(await source.fix() != nil)
      service.setActive(false)
      #expect(await source.authorization()?.status == .servicesDisabled)
      service.setActive(true)
      #expect(await source.authorization()?.status == .always)
      await service.end()
    }

    @Test func cancellingEndsAPendingCallSoon() async throws {
      let bus = try await PrivateBus()
      let service = try await ScriptedService(address: bus.address, .init(admitsClients: false))
      var calls = service.calls.makeAsyncIterator()
      let source = SourceRun(GeoClueSource(settings(bus)))
      source.setDemand(demand)
      #expect(await nextCall("GetClient", of: &calls) != nil)
      await source.end()
      await service.end()
    }

    @Test func probeReportsBusAndService() async throws {
      let bus = try await PrivateBus()
      let nothing = await GeoClueReport.probe(settings(bus), timeout: .seconds(600))
      #expect(nothing.hasBus && !nothing.wasRunning && !nothing.canBeStarted)
      #expect(nothing.problem?.remedy?.contains("geoclue-2.0") == true)
      let service = try await ScriptedService(address: bus.address)
      var report = await GeoClueReport.probe(settings(bus), timeout: .seconds(600))
      // The service has one second to create a client, and a busy machine may need longer.
      for _ in 0..<20 where report.hasAgent == false {
        report = await GeoClueReport.probe(settings(bus), timeout: .seconds(600))
      }
      #expect(report.wasRunning)
      #expect(report.availableAccuracy == .exact)
      #expect(report.isInUse == false)
      #expect(report.hasAgent == true && report.agentRemedy == nil)
      #expect(report.problem == nil)
      service.behavior.admitsClients = false
      let refusing = await GeoClueReport.probe(settings(bus), timeout: .seconds(600))
      #expect(refusing.hasAgent == false)
      #expect(refusing.agentRemedy?.contains("no agent runs in your session") == true)
      await service.end()
      await bus.end()
      #expect(await GeoClueReport.probe(settings(bus), timeout: .seconds(600)).hasBus == false)
    }
  }
#endif
