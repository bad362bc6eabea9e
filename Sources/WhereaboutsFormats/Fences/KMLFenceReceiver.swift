/// KML, to come.
enum KMLFenceReceiver {
  static func isContainer(_ name: UnsafeRawBufferPointer) -> Bool { false }
}
