// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// One executable for each thing measured; a package of its own, so that who uses Whereabouts does not build them.
let package = Package(
  name: "whereabouts-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "whereabouts", path: ".."),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "RequestBench",
      dependencies: [
        .product(name: "WhereaboutsEngine", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "NMEABench",
      dependencies: [
        .product(name: "WhereaboutsFormats", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "GPXBench",
      dependencies: [
        .product(name: "WhereaboutsFormats", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "TrackBench",
      dependencies: [
        .product(name: "WhereaboutsEngine", package: "whereabouts"),
        .product(name: "Whereabouts", package: "whereabouts"),
        .product(name: "WhereaboutsFormats", package: "whereabouts"),
        .product(name: "WhereaboutsTesting", package: "whereabouts"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "FenceBench",
      dependencies: [
        .product(name: "WhereaboutsEngine", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
        .product(name: "WhereaboutsTesting", package: "whereabouts"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "GeodesicBench",
      dependencies: [
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
        .product(name: "WhereaboutsTesting", package: "whereabouts"),
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "StoreBench",
      dependencies: [
        .product(name: "WhereaboutsEngine", package: "whereabouts"),
        .product(name: "Whereabouts", package: "whereabouts"),
        .product(name: "WhereaboutsStore", package: "whereabouts"),
        // The peer is the same SQLite without anything around it.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: house),
  ]
)
