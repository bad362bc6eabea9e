import Testing

@testable import WhereaboutsStore

@Suite struct StoreSchemaTests {
  @Test func aFileIsKnownByItsFirstBytes() {
    #expect(StoreSchema.applicationID == 0x5748_4142)
  }
}
