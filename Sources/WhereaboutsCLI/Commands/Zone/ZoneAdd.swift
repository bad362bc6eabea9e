#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsGeodesy
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts zone add`: adds a privacy zone.
  struct ZoneAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a privacy zone.",
      discussion: """
        A privacy zone is a circle around a private place. Readers see no fix in the zone, or with --coarse only a \
        grid position of that size. Without --device, the zone applies to every device.

        Missing fixes in a circle would reveal its centre. The zone therefore applies in its cover: a circle of \
        twice the radius with a random centre, which contains the zone. The hole in a track then reveals the place \
        no closer than the radius. The times of stays in the zone and the roads to the zone stay visible.

        Examples:
          whereabouts zone add home --at 51.4779,-0.0015 --radius 200m
          whereabouts zone add town --at -33.8587,151.2140 --radius 5km --coarse 2km

        Exit codes: 0 success, 1 failure or existing name, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Option(
      help: ArgumentHelp("Device of the zone. (default: every device)", valueName: "name"),
      transform: StoreOptions.device)
    var device: DeviceID?

    @Argument(help: "Name of the zone.")
    var name: String

    @Option(
      help: ArgumentHelp("Private place, in degrees, as in 51.4779,-0.0015.", valueName: "lat,lon"),
      transform: PlaceArgument.parse)
    var at: PlaceArgument

    @Option(
      help: ArgumentHelp("Radius, 50 m to 100 km, as in 200m or 2km.", valueName: "metres"),
      transform: LengthArgument.parse)
    var radius: LengthArgument

    @Option(
      help: ArgumentHelp(
        "Show fixes on a grid of this size, 10 m to 1000 km, as in 1km. (default: hide fixes)",
        valueName: "metres"),
      transform: LengthArgument.parse)
    var coarse: LengthArgument?

    @Flag(help: "Print the zone as JSON.")
    var json = false

    func validate() throws { _ = try zone() }

    func run() async throws {
      let zone = try zone()
      try OpenStore.writing(store.selection(of: device)).attempt { try ZoneRegistry($0).add(zone) }
      let output = try OutputFile(path: nil, replacing: false)
      if json {
        output.bytes += ZoneText.json(zone).bytes + [UInt8(ascii: "\n")]
      } else {
        let text = "\(name) added: \(ZoneText.terms(zone).joined(separator: ", "))"
        output.bytes.appendText("\(text.sanitizedToOneLine)\n")
      }
      do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    }

    private func zone() throws -> PrivacyZone {
      var generator = SystemRandomNumberGenerator()
      do throws(PrivacyZoneError) {
        return try PrivacyZone(
          name: name, center: at.coordinate, radius: radius.metres,
          policy: coarse.map { .coarsen($0.metres) } ?? .hide, device: device, using: &generator)
      } catch {
        throw ValidationError(error.description)
      }
    }
  }
#endif
