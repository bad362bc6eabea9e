// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled alike: complete concurrency checking comes with the Swift 6 mode,
/// warnings are errors, and imports and existentials are spelled out. On Apple's platforms warnings stay warnings: each
/// new SDK has some of its own.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error, .when(platforms: [.linux])),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The scripts build the targets that calculate with optimization, and with every check: without it, they took
/// over a quarter of the tests' processor time. No other package could depend on one with such flags.
let calculating =
  house
  + (Context.environment["WHEREABOUTS_OPTIMIZED"] == "1"
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])

/// The platform whose part of Core Location is used. The stand-in of `StandIns/CoreLocation` sets the same names, so
/// that every line of the adapter is compiled on Linux.
let apple: [SwiftSetting] = [
  .define("CORE_LOCATION", .when(platforms: [.iOS, .macCatalyst, .macOS, .watchOS, .tvOS, .visionOS])),
  .define("APPLE_IOS", .when(platforms: [.iOS, .macCatalyst])),
  .define("APPLE_MACOS", .when(platforms: [.macOS])),
  .define("APPLE_WATCHOS", .when(platforms: [.watchOS])),
  .define("APPLE_TVOS", .when(platforms: [.tvOS])),
  .define("APPLE_VISIONOS", .when(platforms: [.visionOS])),
]

/// The App Store requires the reasons for some calls, such as `stat`: those of `WhereaboutsSystem` are for every target,
/// since each one that calls `stat` depends on it. On Linux, resources would need Foundation.
#if os(Linux)
  let privacyManifest = (excluded: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#else
  let privacyManifest = (excluded: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#endif

/// The server is for Linux: its HTTP server needs later Apple platforms than this package.
#if os(Linux)
  let defaultTraits: Set<String> = ["GeoClue", "Upload", "Server", "MQTT", "PhoneEncryption"]
  let serverOfCommand: [Target.Dependency] = [
    .target(name: "WhereaboutsServer", condition: .when(traits: ["Server"])),
    .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
  ]
  let serverTargets: [Target] = [
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(
      name: "WhereaboutsServer",
      dependencies: [
        "Whereabouts", "WhereaboutsCompression", "WhereaboutsEngine", "WhereaboutsModel",
        "WhereaboutsFormats", "WhereaboutsGeodesy",
        "WhereaboutsReports", "WhereaboutsSources", "WhereaboutsStore", "WhereaboutsSystem",
        "WhereaboutsUploadQueue",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Atomics", package: "swift-atomics"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .target(name: "CMosquitto", condition: .when(platforms: [.linux], traits: ["MQTT"])),
        .target(name: "CSodium", condition: .when(platforms: [.linux], traits: ["PhoneEncryption"])),
      ],
      exclude: ["Documents"],
      swiftSettings: house,
      plugins: ["EmbedDocuments"]),
    .plugin(name: "EmbedDocuments", capability: .buildTool(), dependencies: ["DocumentEmbedder"]),
    .executableTarget(name: "DocumentEmbedder", path: "Plugins/DocumentEmbedder", swiftSettings: house),
    .testTarget(
      name: "WhereaboutsServerTests",
      dependencies: [
        "CommandTestSupport",
        "WhereaboutsServer", "WhereaboutsStore", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel",
        "WhereaboutsCompression", "WhereaboutsFormats", "WhereaboutsGeodesy", "WhereaboutsReports",
        "WhereaboutsTesting", "WhereaboutsClient",
        // Its daemon as a process of its own.
        "WhereaboutsCLI",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: house),
  ]
#else
  let defaultTraits: Set<String> = ["Upload"]
  let serverOfCommand: [Target.Dependency] = []
  let serverTargets: [Target] = []
#endif

let package = Package(
  name: "whereabouts",
  platforms: [.iOS(.v16), .macOS(.v13), .watchOS(.v9), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "WhereaboutsGeodesy", targets: ["WhereaboutsGeodesy"]),
    .library(name: "WhereaboutsModel", targets: ["WhereaboutsModel"]),
    .library(name: "WhereaboutsEngine", targets: ["WhereaboutsEngine"]),
    .library(name: "WhereaboutsFormats", targets: ["WhereaboutsFormats"]),
    .library(name: "WhereaboutsJournal", targets: ["WhereaboutsJournal"]),
    .library(name: "Whereabouts", targets: ["Whereabouts"]),
    .library(name: "WhereaboutsSources", targets: ["WhereaboutsSources"]),
    .library(name: "WhereaboutsGeoClue", targets: ["WhereaboutsGeoClue"]),
    .library(name: "WhereaboutsCoreLocation", targets: ["WhereaboutsCoreLocation"]),
    .library(name: "WhereaboutsStore", targets: ["WhereaboutsStore"]),
    .library(name: "WhereaboutsUpload", targets: ["WhereaboutsUpload"]),
    .library(name: "WhereaboutsReports", targets: ["WhereaboutsReports"]),
    .library(name: "WhereaboutsDiagnostics", targets: ["WhereaboutsDiagnostics"]),
    .library(name: "WhereaboutsTesting", targets: ["WhereaboutsTesting"]),
    .executable(name: "whereabouts", targets: ["WhereaboutsCLI"]),
  ],
  traits: [
    .trait(
      name: "GeoClue",
      description: "The Linux desktop's location service, over D-Bus; needs the headers of libsystemd."),
    .trait(
      name: "Upload",
      description:
        "Uploading by the whereabouts command, and its --server; brings an HTTP client and its TLS stack."),
    .trait(
      name: "Server",
      description: "The daemon, `whereabouts serve`; brings an HTTP server and its TLS stack."),
    .trait(
      name: "MQTT",
      description: "MQTT and Home Assistant in the daemon; needs the headers of libmosquitto."),
    .trait(
      name: "PhoneEncryption",
      description: "Encrypted messages of OwnTracks in the daemon; needs the headers of libsodium."),
    .default(enabledTraits: defaultTraits),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    // Without its JSON files: the daemon reads lines.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.36.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    // The pure targets: values in, values out. Arrows only point inward.
    .target(
      name: "WhereaboutsGeodesy",
      dependencies: [.product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: calculating),
    .target(
      name: "WhereaboutsModel",
      dependencies: ["WhereaboutsGeodesy", .product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: calculating),
    .target(
      name: "WhereaboutsEngine",
      dependencies: [
        "WhereaboutsGeodesy", "WhereaboutsModel", .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      swiftSettings: calculating),
    .target(
      name: "WhereaboutsFormats",
      dependencies: [
        "WhereaboutsGeodesy", "WhereaboutsModel", .product(name: "RealModule", package: "swift-numerics"),
        // Apple's platforms read XML through their own Foundation.
        .target(name: "CExpat", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: house),
    .target(
      name: "WhereaboutsJournal",
      dependencies: ["WhereaboutsEngine", "WhereaboutsFormats", "WhereaboutsGeodesy", "WhereaboutsModel"],
      swiftSettings: house),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),

    // The C library of the platform, and the system's calls that several targets need.
    .target(
      name: "WhereaboutsSystem", exclude: privacyManifest.excluded, resources: privacyManifest.resources,
      swiftSettings: house),

    // The shell around the engine, and what feeds it.
    .target(
      name: "Whereabouts",
      dependencies: [
        "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy",
        .product(name: "Atomics", package: "swift-atomics"), "WhereaboutsSystem",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: house),
    .target(
      name: "WhereaboutsSources",
      dependencies: [
        "CZlib", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats",
        "WhereaboutsJournal", "WhereaboutsGeodesy", "WhereaboutsSystem",
        .product(name: "Atomics", package: "swift-atomics"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
        .target(name: "CEpoll", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: house),
    // Part of the C library of Linux, and not of the module that Swift makes of it.
    .systemLibrary(name: "CEpoll"),
    .target(
      name: "WhereaboutsGeoClue",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsSystem",
        .target(name: "CSDBus", condition: .when(platforms: [.linux], traits: ["GeoClue"])),
      ],
      swiftSettings: house),
    .target(
      name: "WhereaboutsCoreLocation",
      dependencies: ["Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy"],
      swiftSettings: house + apple),
    .systemLibrary(name: "CSDBus", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "WhereaboutsStore",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsGeodesy",
        "WhereaboutsSystem",
        .product(name: "GRDB", package: "GRDB.swift"),
        // The C functions of the same SQLite, for the statements that run with every fix.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      exclude: privacyManifest.excluded, resources: privacyManifest.resources,
      swiftSettings: house),
    // Without an HTTP client, so that the command manages endpoints also where it can't upload.
    .target(
      name: "WhereaboutsUploadQueue",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsGeodesy",
        "WhereaboutsStore",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: house),
    .target(
      name: "WhereaboutsUpload",
      dependencies: [
        "Whereabouts", "WhereaboutsCompression", "WhereaboutsEngine", "WhereaboutsModel",
        "WhereaboutsFormats", "WhereaboutsGeodesy", "WhereaboutsStore", "WhereaboutsSystem",
        "WhereaboutsUploadQueue",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: house),
    // The client of a server's API, for the command's --server.
    .target(
      name: "WhereaboutsClient",
      dependencies: [
        "Whereabouts", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsSystem", "WhereaboutsUpload",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: house),
    // Compression of HTTP bodies, for the uploads and the server.
    .target(name: "WhereaboutsCompression", dependencies: ["CZlib"], swiftSettings: house),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Values about recordings, fences, tracks and decisions, and their text, JSON and SVG.
    .target(
      name: "WhereaboutsReports",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsJournal",
        "WhereaboutsGeodesy", "WhereaboutsSources",
      ],
      swiftSettings: house),
    .target(
      name: "WhereaboutsDiagnostics",
      dependencies: [
        "Whereabouts", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsGeoClue", "WhereaboutsGeodesy",
        "WhereaboutsReports", "WhereaboutsSources", "WhereaboutsSystem",
      ],
      swiftSettings: house),
    .target(
      name: "WhereaboutsTesting",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsSystem",
        .product(name: "Atomics", package: "swift-atomics"),
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      swiftSettings: calculating),
    // The work of the command: files, opened stores, imports, live runs and requests. WhereaboutsCLI adds arguments.
    .target(
      name: "WhereaboutsOperations",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsJournal",
        "WhereaboutsGeoClue", "WhereaboutsGeodesy", "WhereaboutsSources", "WhereaboutsStore",
        "WhereaboutsReports", "WhereaboutsSystem", "WhereaboutsUploadQueue",
        .target(name: "WhereaboutsClient", condition: .when(traits: ["Upload"])),
        .target(name: "WhereaboutsUpload", condition: .when(traits: ["Upload"])),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "WhereaboutsCLI",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsGeodesy",
        "WhereaboutsOperations", "WhereaboutsSources", "WhereaboutsStore", "WhereaboutsReports",
        "WhereaboutsDiagnostics", "WhereaboutsUploadQueue",
        .target(name: "WhereaboutsClient", condition: .when(traits: ["Upload"])),
        .target(name: "WhereaboutsUpload", condition: .when(traits: ["Upload"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ] + serverOfCommand,
      swiftSettings: house),

    // Small programs to begin with; see Examples/README.md.
    .executableTarget(
      name: "AskOnce",
      dependencies: ["Whereabouts", "WhereaboutsSources"],
      path: "Examples/AskOnce",
      swiftSettings: house),
    .executableTarget(
      name: "FollowAndMeasure",
      dependencies: ["Whereabouts", "WhereaboutsSources"],
      path: "Examples/FollowAndMeasure",
      swiftSettings: house),
    .executableTarget(
      name: "FenceWithStore",
      dependencies: ["Whereabouts", "WhereaboutsSources", "WhereaboutsStore"],
      path: "Examples/FenceWithStore",
      swiftSettings: house),
    // The model of an app's screen; its views are in no target. See Examples/FenceHere/README.md.
    .target(
      name: "FenceHereModel",
      dependencies: ["Whereabouts"],
      path: "Examples/FenceHere/Model",
      swiftSettings: house),
    .testTarget(
      name: "FenceHereModelTests",
      dependencies: ["FenceHereModel", "Whereabouts", "WhereaboutsTesting"],
      swiftSettings: house),

    // Helpers of the tables of two test targets.
    .target(
      name: "EngineTestSupport",
      dependencies: ["WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsTesting"],
      path: "Tests/EngineTestSupport",
      swiftSettings: house),
    .target(name: "CommandTestSupport", path: "Tests/CommandTestSupport", swiftSettings: house),
    .target(
      name: "ReportTestSupport",
      dependencies: ["WhereaboutsModel", "WhereaboutsGeodesy"],
      path: "Tests/ReportTestSupport",
      swiftSettings: house),
    // The effect of each part of the odometer, on recordings with a known length.
    .executableTarget(
      name: "DistanceAblation",
      dependencies: ["WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats"],
      path: "Tests/DistanceAblation",
      swiftSettings: house),
    // The odometer on tracks of simple shapes, whose length is known.
    .executableTarget(
      name: "DistanceShapes",
      dependencies: ["EngineTestSupport", "WhereaboutsTesting"],
      path: "Tests/DistanceShapes",
      swiftSettings: house),
    // Visits and journeys against the truth of generated days, beside two plain rules.
    .executableTarget(
      name: "DaysComparison",
      dependencies: ["WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsTesting"],
      path: "Tests/DaysComparison",
      swiftSettings: house),
    // The answers of areas, for a comparison with other libraries.
    .executableTarget(
      name: "AreaAnswers",
      dependencies: ["WhereaboutsGeodesy"],
      path: "Tests/AreaAnswers",
      swiftSettings: house),
    // The saving of receiver time by the distance to fences.
    .executableTarget(
      name: "FencePower",
      dependencies: [
        "EngineTestSupport", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats",
        "WhereaboutsGeodesy",
        "WhereaboutsTesting",
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      path: "Tests/FencePower",
      swiftSettings: house),

    // A month in virtual time, with everything that may go wrong.
    .executableTarget(
      name: "Soak",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsSources",
        "WhereaboutsTesting",
        .product(name: "Atomics", package: "swift-atomics"),
      ],
      path: "Tests/Soak",
      swiftSettings: house),
    .testTarget(
      name: "SoakTests",
      dependencies: ["Soak"],
      swiftSettings: house),

    .testTarget(
      name: "WhereaboutsGeodesyTests",
      dependencies: ["WhereaboutsGeodesy", "WhereaboutsTesting"],
      resources: [.copy("Vectors")],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsEngineTests",
      dependencies: [
        "EngineTestSupport", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy",
        "WhereaboutsTesting",
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsFormatsTests",
      dependencies: [
        "EngineTestSupport", "WhereaboutsFormats", "WhereaboutsEngine", "WhereaboutsModel",
        "WhereaboutsGeodesy", "WhereaboutsTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsModelTests",
      dependencies: ["WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsTesting"],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsJournalTests",
      dependencies: [
        "EngineTestSupport",
        "WhereaboutsJournal", "WhereaboutsEngine", "WhereaboutsFormats", "WhereaboutsGeodesy",
        "WhereaboutsModel",
        "WhereaboutsTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsTests",
      dependencies: [
        "EngineTestSupport", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy",
        "WhereaboutsTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsSourcesTests",
      dependencies: [
        "WhereaboutsSources", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats",
        "WhereaboutsJournal", "WhereaboutsGeodesy",
        "WhereaboutsTesting", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsGeoClueTests",
      dependencies: [
        "WhereaboutsGeoClue", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy",
        "WhereaboutsTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsCoreLocationTests",
      dependencies: [
        "WhereaboutsCoreLocation", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel",
        "WhereaboutsGeodesy", "WhereaboutsTesting",
      ],
      swiftSettings: house),
    // The real thing: gpsd, serial lines, the desktop's location service, each in a process of its own.
    .testTarget(
      name: "LiveTests",
      dependencies: [
        "CommandTestSupport",
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsGeoClue",
        "WhereaboutsGeodesy",
        "WhereaboutsSources", "WhereaboutsTesting", "WhereaboutsCLI",
        .target(name: "CSDBus", condition: .when(platforms: [.linux], traits: ["GeoClue"])),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsTestingTests",
      dependencies: [
        "WhereaboutsTesting", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsStoreTests",
      dependencies: [
        "WhereaboutsStore", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats",
        "WhereaboutsGeodesy", "WhereaboutsTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsUploadTests",
      dependencies: [
        "WhereaboutsUpload", "WhereaboutsStore", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel",
        "WhereaboutsGeodesy", "WhereaboutsUploadQueue",
        "WhereaboutsTesting", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsReportsTests",
      dependencies: [
        "ReportTestSupport", "WhereaboutsReports", "WhereaboutsModel", "WhereaboutsFormats",
        "WhereaboutsGeodesy", "WhereaboutsTesting",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WhereaboutsDiagnosticsTests",
      dependencies: [
        "WhereaboutsDiagnostics", "WhereaboutsFormats", "WhereaboutsModel", "WhereaboutsGeodesy",
        "WhereaboutsReports", "WhereaboutsSources", "WhereaboutsTesting",
      ],
      swiftSettings: house),
    // Processes that are killed, disks that are full, power that is cut: the real thing.
    .target(
      name: "FaultyDisk",
      path: "Tests/FaultyDisk",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "DurabilityRunner",
      dependencies: [
        "FaultyDisk", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats",
        "WhereaboutsGeodesy",
        "WhereaboutsSources", "WhereaboutsStore", "WhereaboutsTesting", "WhereaboutsUpload",
        "WhereaboutsUploadQueue", "WhereaboutsSystem",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/DurabilityRunner",
      swiftSettings: house),
    .testTarget(
      name: "Durability",
      dependencies: [
        "DurabilityRunner", "FaultyDisk", "Whereabouts", "WhereaboutsCLI", "WhereaboutsEngine",
        "WhereaboutsModel",
        "WhereaboutsGeodesy", "WhereaboutsStore", "WhereaboutsTesting",
      ],
      path: "Tests/Durability",
      swiftSettings: house),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "EngineTestSupport", "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy",
        "WhereaboutsStore",
        "WhereaboutsTesting",
      ],
      swiftSettings: house),
    // The examples of the articles and the README, compiled and run.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Whereabouts", "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsFormats", "WhereaboutsJournal",
        "WhereaboutsGeoClue", "WhereaboutsGeodesy",
        "WhereaboutsSources", "WhereaboutsStore", "WhereaboutsTesting", "WhereaboutsUpload",
      ],
      swiftSettings: house),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "CommandTestSupport", "ReportTestSupport",
        "Whereabouts", "WhereaboutsCLI", "WhereaboutsOperations", "WhereaboutsReports",
        "WhereaboutsDiagnostics", "WhereaboutsSources", "WhereaboutsStore", "WhereaboutsFormats",
        "WhereaboutsJournal",
        "WhereaboutsEngine", "WhereaboutsModel", "WhereaboutsGeodesy", "WhereaboutsTesting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["GoldenTracks/Expected"],
      swiftSettings: house),
  ] + serverTargets
)

#if !os(Linux)
  // The other tests start programs, or need the daemons and devices of Linux.
  let testsOfApple: Set<String> = [
    "FenceHereModelTests", "WhereaboutsCoreLocationTests", "WhereaboutsEngineTests",
    "WhereaboutsFormatsTests", "WhereaboutsGeodesyTests", "WhereaboutsJournalTests", "WhereaboutsModelTests",
    "WhereaboutsTestingTests", "WhereaboutsTests",
  ]
  package.targets.removeAll { target in
    target.type == .test
      ? !testsOfApple.contains(target.name) : ["DurabilityRunner", "FaultyDisk"].contains(target.name)
  }
#endif
