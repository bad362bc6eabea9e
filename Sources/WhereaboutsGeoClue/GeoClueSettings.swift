/// How this program presents itself to the desktop's location service, and where it finds it.
public struct GeoClueSettings: Hashable, Sendable {
  /// The name of this program's desktop file without `.desktop`: the service asks the person about it by that name.
  public var desktopID: String
  /// The address of the message bus, such as `unix:path=/run/dbus/system_bus_socket`; `nil` for the system's, which
  /// `DBUS_SYSTEM_BUS_ADDRESS` may name.
  public var busAddress: String?

  /// How this program presents itself.
  public init(desktopID: String, busAddress: String? = nil) {
    self.desktopID = desktopID
    self.busAddress = busAddress
  }
}
