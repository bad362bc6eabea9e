/// Settings for the location service: this program's identity, the address of the bus, and timeouts.
public struct GeoClueSettings: Hashable, Sendable {
  /// The name of this program's desktop file without `.desktop`, under which the service asks for permission.
  public var desktopID: String
  /// The address of the message bus, such as `unix:path=/run/dbus/system_bus_socket`. `nil` is the system bus, which
  /// `DBUS_SYSTEM_BUS_ADDRESS` may override.
  public var busAddress: String?
  /// The time to wait for access before the source reports missing permission.
  ///
  /// Without an agent, the desktop program that asks for permission, the service never replies.
  public var permissionTimeout = Duration.seconds(5)
  /// The time to wait for a first position before the source reports ``Whereabouts/SourceProblem/Code/noPosition``.
  ///
  /// Without a position the service never replies. After half of that time the source requests the exact level, if a
  /// lower one was enough, because the only receiver may be one that was off.
  public var positionTimeout = Duration.seconds(10)

  /// Creates settings with the default timeouts.
  public init(desktopID: String, busAddress: String? = nil) {
    self.desktopID = desktopID
    self.busAddress = busAddress
  }
}
