/// The service's names on the bus.
enum GeoClueBusNames {
  static let service = "org.freedesktop.GeoClue2"
  static let managerPath = "/org/freedesktop/GeoClue2/Manager"
  static let manager = "org.freedesktop.GeoClue2.Manager"
  static let client = "org.freedesktop.GeoClue2.Client"
  static let location = "org.freedesktop.GeoClue2.Location"
  static let properties = "org.freedesktop.DBus.Properties"
  static let bus = "org.freedesktop.DBus"

  /// The match rules of the wanted signals.
  static let matchRules = [
    "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(service)'",
    "type='signal',sender='\(service)',interface='\(client)',member='LocationUpdated'",
    "type='signal',sender='\(service)',interface='\(properties)',member='PropertiesChanged',arg0='\(client)'",
  ]
}
