// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The function that libFuzzer's loop is started from is the program's entry, so that there is no top-level code.
let fuzzer: [SwiftSetting] = house + [.unsafeFlags(["-parse-as-library"])]

func target(_ name: String, with others: [String] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "FuzzSupport", .product(name: "WhereaboutsFormats", package: "whereabouts"),
      .product(name: "WhereaboutsModel", package: "whereabouts"),
    ] + others.map { .product(name: $0, package: "whereabouts") },
    swiftSettings: fuzzer)
}

/// One executable for each format; a package of its own, since these only link with libFuzzer. `Scripts/fuzz` builds it.
let package = Package(
  name: "whereabouts-fuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "whereabouts", path: "..")],
  targets: [
    .target(
      name: "FuzzSupport",
      dependencies: [
        .product(name: "WhereaboutsFormats", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
      ],
      swiftSettings: house),
    target("fuzz-nmea"),
    target("fuzz-gpx"),
    target("fuzz-csv"),
    target("fuzz-jsonl"),
    target("fuzz-detect"),
    target("fuzz-journal", with: ["WhereaboutsEngine", "WhereaboutsJournal"]),
    target("fuzz-fences"),
    target("fuzz-gpsd"),
    target("fuzz-owntracks"),
    target("fuzz-overland"),
    target("fuzz-osmand"),
    target("fuzz-gpslogger"),
    target("fuzz-homeassistant"),
    target("fuzz-ingest"),
    target("fuzz-timeline"),
    target("fuzz-fit"),
    target("fuzz-tcx"),
    target("fuzz-kml"),
    target("fuzz-igc"),
    target("fuzz-geojson"),
    target("fuzz-rec"),
  ]
)
