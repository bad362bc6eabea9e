import Foundation

// Non-frozen, as Apple's: the module is built for library evolution, so a switch needs `@unknown default`.

public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  #if !APPLE_MACOS
    case authorizedWhenInUse = 4
  #else
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
  #endif
}

public enum CLAccuracyAuthorization: Int, Sendable {
  case fullAccuracy = 0
  case reducedAccuracy = 1
}

#if !APPLE_TVOS
  public enum CLActivityType: Int, Sendable {
    case other = 1
    case automotiveNavigation = 2
    case fitness = 3
    case otherNavigation = 4
    case airborne = 5
  }
#endif

#if APPLE_IOS || APPLE_MACOS
  public enum CLRegionState: Int, Sendable {
    case unknown = 0
    case inside = 1
    case outside = 2
  }
#endif

#if APPLE_IOS || APPLE_MACOS || APPLE_WATCHOS
  public enum CLDeviceOrientation: Int32, Sendable {
    case unknown = 0
    case portrait
    case portraitUpsideDown
    case landscapeLeft
    case landscapeRight
    case faceUp
    case faceDown
  }
#endif

public struct CLError: Error {
  public enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied
    case network
    case headingFailure
    case regionMonitoringDenied
    case regionMonitoringFailure
    case regionMonitoringSetupDelayed
    case regionMonitoringResponseDelayed
    case geocodeFoundNoResult
    case geocodeFoundPartialResult
    case geocodeCanceled
    case deferredFailed
    case deferredNotUpdatingLocation
    case deferredAccuracyTooLow
    case deferredDistanceFiltered
    case deferredCanceled
    case rangingUnavailable
    case rangingFailure
    case promptDeclined
    case historicalLocationError
  }

  public let code: Code

  public init(_ code: Code) { self.code = code }

  public static var errorDomain: String { "kCLErrorDomain" }
}
