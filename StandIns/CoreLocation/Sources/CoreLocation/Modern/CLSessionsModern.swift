#if APPLE_MODERN && !APPLE_MACOS
  @available(iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  @available(macOS, unavailable)
  public final class CLServiceSession: Sendable {
    public enum AuthorizationRequirement: Int, Sendable {
      case none
      case whenInUse
      #if APPLE_IOS || APPLE_WATCHOS
        case always
      #endif
    }

    public init(authorization: AuthorizationRequirement) {}
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {}
    public func invalidate() {}
  }
#endif

#if APPLE_MODERN && !APPLE_MACOS && !APPLE_TVOS
  @available(iOS 17.0, watchOS 10.0, visionOS 1.0, *)
  @available(macOS, unavailable)
  @available(tvOS, unavailable)
  public final class CLBackgroundActivitySession: Sendable {
    public init() {}
    public func invalidate() {}
  }
#endif
