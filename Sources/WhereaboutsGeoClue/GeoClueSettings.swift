/// How this program presents itself to the desktop's location service, where it finds it, and how patient it is.
public struct GeoClueSettings: Hashable, Sendable {
  /// The name of this program's desktop file without `.desktop`: the service asks the person about it by that name.
  public var desktopID: String
  /// The address of the message bus, such as `unix:path=/run/dbus/system_bus_socket`; `nil` for the system's, which
  /// `DBUS_SYSTEM_BUS_ADDRESS` may name.
  public var busAddress: String?
  /// How long the service may take to let this program in before that is told as missing permission.
  ///
  /// Without an agent, the program of the desktop that asks the person, the service never answers.
  public var permissionPatience = Duration.seconds(5)
  /// How long the service may take for a first position before that is told as ``Whereabouts/SourceTrouble/Code/noPosition``.
  ///
  /// Without a position it says nothing at all, however long one waits. After half of that time it is asked for the most
  /// exact it has where less was enough: the receiver that it left off may be the only one there is.
  public var positionPatience = Duration.seconds(10)

  /// How this program presents itself.
  public init(desktopID: String, busAddress: String? = nil) {
    self.desktopID = desktopID
    self.busAddress = busAddress
  }
}
