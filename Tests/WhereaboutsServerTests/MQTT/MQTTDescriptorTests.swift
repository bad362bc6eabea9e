#if MQTT && canImport(Glibc)
  import Foundation
  import Glibc
  import NIOHTTP1
  import Testing
  import WhereaboutsModel
  import WhereaboutsTesting

  @testable import WhereaboutsServer

  /// A broker of a server with many connections.
  @Suite(.serialized, .enabled(if: MosquittoBroker.isInstalled, "mosquitto is not installed"))
  struct MQTTDescriptorTests {
    /// `select` knows no descriptor from 1,024 on. So many are opened in a process of its own: Foundation waits for the
    /// processes of other tests by `select`, too.
    @Test func brokerIsReachedBesideThousandConnections() async {
      await #expect(processExitsWith: .success) {
        let broker = try MosquittoBroker(in: TemporaryPlace())
        try await broker.start()
        let observer = try await BrokerObserver(broker)
        try Self.openThousandDescriptors()
        var mqtt = MQTTSettings(broker: try #require(BrokerAddress("mqtt://127.0.0.1:\(broker.port)")))
        mqtt.devices = .all
        var settings = ServerSettings.test
        settings.mqtt = mqtt
        try await TestServer.run(settings) { server in
          let token = try server.token("anna", [.write])
          let answer = try await server.post("/owntracks", Batches.ownTracks(distance: 0), token: token)
          #expect(answer.status == 200)
          _ = try await observer.message("whereabouts/anna/number")
        }
      }
    }

    private static func openThousandDescriptors() throws {
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      try #require(getrlimit(resource, &limit) == 0)
      limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 8_192))
      try #require(setrlimit(resource, &limit) == 0)
      var last: Int32 = 0
      while last < 1_100 {
        last = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        try #require(last != -1)
      }
    }
  }
#endif
