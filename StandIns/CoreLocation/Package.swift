// swift-tools-version: 6.2
import PackageDescription

/// The platform whose part of Core Location the stand-in has: IOS, MACOS, WATCHOS, TVOS or VISIONOS.
let platform = Context.environment["STANDIN_PLATFORM"] ?? "IOS"
/// Whether the stand-in has the symbols of later systems than the least one.
let isModern = Context.environment["STANDIN_MODERN"] != "no"

let variant: [SwiftSetting] =
  [.define("CORE_LOCATION"), .define("APPLE_\(platform)")] + (isModern ? [.define("APPLE_MODERN")] : [])
let language: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "core-location-stand-in",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "whereabouts", path: "../..", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // As Apple's framework, built for library evolution: a switch over an enumeration needs `@unknown default`.
    // Foundation on Linux is not, which is a warning.
    .target(
      name: "CoreLocation",
      swiftSettings: language + variant + [.unsafeFlags(["-enable-library-evolution", "-suppress-warnings"])]),
    // The adapter's own source files, by a symbolic link.
    .target(
      name: "CoreLocationAdapter",
      dependencies: [
        "CoreLocation",
        .product(name: "Whereabouts", package: "whereabouts"),
        .product(name: "WhereaboutsEngine", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
      ],
      exclude: ["WhereaboutsCoreLocation.docc"],
      swiftSettings: language + variant + strict),
    .testTarget(
      name: "CoreLocationAdapterTests",
      dependencies: [
        "CoreLocation", "CoreLocationAdapter",
        .product(name: "Whereabouts", package: "whereabouts"),
        .product(name: "WhereaboutsEngine", package: "whereabouts"),
        .product(name: "WhereaboutsModel", package: "whereabouts"),
        .product(name: "WhereaboutsGeodesy", package: "whereabouts"),
        .product(name: "WhereaboutsStore", package: "whereabouts"),
        .product(name: "WhereaboutsTesting", package: "whereabouts"),
        // Reads a store's file while the file is copied.
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: language + variant + strict),
  ]
)
