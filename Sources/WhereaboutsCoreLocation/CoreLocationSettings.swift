public import WhereaboutsModel

/// Settings for Core Location: the permission to request, and the timeout of a first position.
public struct CoreLocationSettings: Hashable, Sendable {
  /// The highest level of authorization that the source may request.
  ///
  /// The default is ``Whereabouts/Authorization/Level/whenInUse``, which is enough unless geofences or significant
  /// changes must wake the app. Core Location asks for "always" once only, so ask in context: see
  /// `CoreLocationSource.requestAuthorization(_:)`.
  public var highestLevel: Authorization.Level
  /// The time without any position after which the source reports
  /// ``Whereabouts/SourceProblem/Code/noPosition``. A value that is not positive counts as 30 s.
  public var firstFixTimeout: Duration

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - highestLevel: the highest level of authorization that the source may request.
  ///   - firstFixTimeout: the time without any position after which the source reports that there is none.
  public init(highestLevel: Authorization.Level = .whenInUse, firstFixTimeout: Duration = .seconds(30)) {
    self.highestLevel = highestLevel
    self.firstFixTimeout = firstFixTimeout > .zero ? firstFixTimeout : .seconds(30)
  }
}

/// The device's edge that a heading counts from: the top of the screen as the app shows it.
public enum HeadingOrientation: Hashable, Sendable, CaseIterable {
  /// The top of the device.
  case portrait
  /// The bottom of the device.
  case portraitUpsideDown
  /// The right edge of the device, held with its top to the left.
  case landscapeLeft
  /// The left edge of the device, held with its top to the right.
  case landscapeRight
}
