import Foundation
import Testing

/// `whereabouts import` of compressed files and archives, and of files that are not what they were taken for.
@Suite struct ImportArchiveTests {
  @Test(.enabled(if: ImportTests.has("gzip") && ImportTests.has("python3"), "needs gzip and python3"))
  func archivesOfRecordings() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    _ = try folder.file("Records.json", Array(ImportTests.records(0..<50).utf8))
    _ = try folder.file("Settings.json", Array("{\"deviceSettings\":[]}".utf8))
    let run = try await CommandRun(
      shell: """
        cd '\(folder.path(""))'
        gzip -k Records.json
        python3 -m zipfile -c takeout.zip Records.json Settings.json Records.json.gz
        whereabouts import --store '\(store)' Records.json.gz
        whereabouts import --store '\(store)' takeout.zip
        whereabouts convert --to csv takeout.zip | wc -l
        head -c 300 Records.json.gz > cut.gz
        whereabouts import --store '\(store)' cut.gz
        """)
    #expect(run.code == 1)
    #expect(run.errors.contains("100 kept, 0 duplicates, 0 refused\n"), "\(run.errors)")
    #expect(run.errors.contains("0 kept, 200 duplicates, 0 refused\n"), "\(run.errors)")
    #expect(
      run.errors.contains("skipped 1 file in the archive that is not a recording: Settings.json\n"),
      "\(run.errors)")
    #expect(run.errors.contains("the compressed data ends in the middle"), "\(run.errors)")
    #expect(run.output.contains("201\n"), "\(run.output)")
  }

  @Test(.enabled(if: ImportTests.has("python3"), "needs python3")) func skippedFilesOfAnArchiveAreNamed()
    async throws
  {
    let folder = try TemporaryFolder()
    let script = """
      import zipfile
      with zipfile.ZipFile('all.zip', 'w') as z:
        for name in ('a.txt', 'photos/b.txt', 'c.txt', 'd.txt'): z.writestr(name, 'hello')
        z.writestr('e.csv', 'time,lat,lon\\n2024-05-14T08:20:00Z,50,8\\n')
      """
    _ = try folder.file("make.py", Array(script.utf8))
    let store = folder.path("store.sqlite")
    let run = try await CommandRun(
      shell: "cd '\(folder.path(""))' && python3 make.py && whereabouts import --store '\(store)' all.zip")
    #expect(
      run.errors.hasPrefix(
        "all.zip: skipped 4 files in the archive that are not a recording: a.txt, photos/b.txt, c.txt, …\n"),
      "\(run.errors)")
  }

  @Test(.enabled(if: ImportTests.has("python3"), "needs python3")) func hostileArchivesAreRefused()
    async throws
  {
    let folder = try TemporaryFolder()
    let script = """
      import zipfile, gzip, sys
      with zipfile.ZipFile('up.zip','w') as z: z.writestr('../../etc/x.json','{}')
      with zipfile.ZipFile('root.zip','w') as z: z.writestr('/etc/x.json','{}')
      with zipfile.ZipFile('inner.zip','w') as z: z.writestr('a.csv','lat,lon\\n1,2\\n')
      with zipfile.ZipFile('two.zip','w') as z: z.write('inner.zip')
      with zipfile.ZipFile('three.zip','w',zipfile.ZIP_DEFLATED) as z: z.write('two.zip')
      with zipfile.ZipFile('four.zip','w') as z: z.write('three.zip')
      head = b'{"locations":[{"latitudeE7":1,"longitudeE7":2,"timestampMs":"1"},'
      with gzip.open('bomb.gz','wb') as f:
        f.write(head)
        for _ in range(100): f.write(b' ' * (1 << 20))
      with zipfile.ZipFile('bomb.zip','w',zipfile.ZIP_DEFLATED) as z: z.writestr('Records.json', head + b' ' * (100 << 20))
      data = bytearray(open('inner.zip','rb').read())
      at = data.index(b'PK\\x01\\x02')
      data[at + 24:at + 28] = (5).to_bytes(4,'little')
      open('short.zip','wb').write(data)
      open('cut.zip','wb').write(open('inner.zip','rb').read()[:-10])
      """
    _ = try folder.file("make.py", Array(script.utf8))
    let store = folder.path("store.sqlite")
    let run = try await CommandRun(
      shell: """
        cd '\(folder.path(""))' && python3 make.py
        for name in up.zip root.zip four.zip bomb.gz bomb.zip short.zip cut.zip; do
          whereabouts import --store '\(store)' $name > /dev/null 2> errors; echo "$name: $? $(tr '\\n' ' ' < errors)"
        done
        cat inner.zip | whereabouts import --store '\(store)' - 2>&1
        """)
    let lines = run.lines.map(String.init)
    let expected = [
      "leads out of the archive", "leads out of the archive",
      "an archive more than two deep within an archive is not read; unpack it first",
      "more than 200 times its size", "more than 200 times its size", "longer than the archive states",
      "damaged, or not complete", "can't be read from a pipe",
    ]
    try #require(lines.count >= expected.count, "\(run.output)")
    for (line, text) in zip(lines, expected) { #expect(line.contains(text), "\(line)") }
    // The content before the bomb is kept; an archive's other files would be read.
    for line in lines.prefix(7) where !line.hasPrefix("bomb.zip") {
      #expect(line.contains(": 1 "), "\(line)")
    }
  }

  @Test(.enabled(if: ImportTests.has("python3"), "needs python3")) func archivesWithinArchivesAreRead()
    async throws
  {
    let folder = try TemporaryFolder()
    let script = """
      import zipfile, gzip, io, lzma
      def zip(method, **files):
        out = io.BytesIO()
        with zipfile.ZipFile(out, 'w', method) as z:
          for name, data in files.items(): z.writestr(name.replace('_', '.'), data)
        return out.getvalue()
      def row(second): return f'time,lat,lon\\n2024-05-14T08:20:{second:02}Z,50,8\\n'.encode()
      kml = b'<kml><Placemark><TimeStamp><when>2024-05-14T08:20:40Z</when></TimeStamp><Point><coordinates>8,50</coordinates></Point></Placemark></kml>'
      second = 0
      for outer in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for inner in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
          kmz = zip(inner, doc_kml=kml)
          deep = zip(inner, d_csv=row(second + 3))
          nested = zip(inner, b_csv=row(second), c_csv_gz=gzip.compress(row(second + 1)), deep_zip=deep, t_kmz=kmz, n_txt=b'hello')
          open(f'{outer}{inner}.zip', 'wb').write(zip(outer, a_csv=row(second + 2), nested_zip=nested, nested_zip_gz=gzip.compress(nested)))
          second += 5
      open('odd.zip', 'wb').write(zip(0, a_csv=row(50), b_csv_xz=lzma.compress(row(51)), cut_zip=deep[:-10]))
      head = b'{"locations":[{"latitudeE7":1,"longitudeE7":2,"timestampMs":"1"},'
      zeros = zip(8, **{f'f{n}_json': head + b' ' * (40 << 20) for n in range(4)})
      open('bomb.zip', 'wb').write(zip(8, a_csv=row(52), zeros_zip=zeros))
      """
    _ = try folder.file("make.py", Array(script.utf8))
    let store = folder.path("store.sqlite")
    let run = try await CommandRun(
      shell: """
        cd '\(folder.path(""))' && python3 make.py
        for name in 00.zip 08.zip 80.zip 88.zip odd.zip bomb.zip; do
          whereabouts import --store '\(store)' $name > /dev/null 2> errors; echo "$name: $? $(tr '\\n' ' ' < errors)"
        done
        """)
    let lines = run.lines.map(String.init)
    try #require(lines.count == 6, "\(run.output)")
    // The second copy of the inner archive is within gzip. All four have the same place of the KMZ.
    for (line, kept) in zip(lines, [5, 4, 4, 4]) {
      #expect(
        line.contains(": 0 ") && line.contains("\(kept) kept, \(9 - kept) duplicates, 0 refused"), "\(line)")
    }
    #expect(
      lines[4].contains("b.csv.xz, line 1, byte 0: it is compressed with xz; unpack it first"), "\(lines[4])")
    #expect(
      lines[4].contains("cut.zip, line 1, byte 0: the archive is damaged, or not complete"), "\(lines[4])")
    #expect(lines[4].contains("1 kept"), "\(lines[4])")
    #expect(lines[5].contains("2 kept") && lines[5].contains("more than 200 times its size"), "\(lines[5])")
    // The rest is kept, and a script notices that recordings may be missing.
    for line in lines.suffix(2) {
      let name = line.prefix { $0 != ":" }
      let message = "could not read all of \(name). See the problems above."
      #expect(line.hasPrefix("\(name): 1 ") && line.contains(message), "\(line)")
    }
  }

  /// The name of an archive is no folder of a Recorder's file.
  @Test(.enabled(if: ImportTests.has("python3"), "needs python3")) func foldersWithinAnArchiveNameTheDevice()
    async throws
  {
    let folder = try TemporaryFolder()
    let script = """
      import zipfile
      line = '2024-05-14T08:20:12Z\\t*                 \\t{"_type":"location","lat":52.5,"lon":13.4,"tst":1715674812}\\n'
      with zipfile.ZipFile('backup.zip', 'w') as z:
        z.writestr('anna/phone/2024-05.rec', line)
        z.writestr('tablet/2024-05.rec', line)
      with zipfile.ZipFile('all.zip', 'w') as z: z.write('backup.zip', 'old/backup.zip')
      """
    _ = try folder.file("make.py", Array(script.utf8))
    let store = folder.path("store.sqlite")
    let run = try await CommandRun(
      shell: "cd '\(folder.path(""))' && python3 make.py && whereabouts import --store '\(store)' all.zip")
    #expect(run.lines.map { $0.prefix(12) } == ["anna-phone: ", "this: 1 kept"], "\(run.output)")
  }

  /// Makes a folder with one recording of one point, `a.csv`.
  private static func tracks(in folder: TemporaryFolder) throws -> String {
    let root = folder.path("tracks")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let track = "time,lat,lon\n2024-05-14T08:20:00Z,52.5,13.4\n"
    try Data(track.utf8).write(to: URL(filePath: "\(root)/a.csv"))
    return root
  }

  /// A copy that was cut may hold the only recordings of a year: it is no file of another kind.
  @Test func damagedArchiveInAFolderIsReported() async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let root = try Self.tracks(in: folder)
    try Data([0x50, 0x4B, 3, 4] + Array("cut".utf8)).write(to: URL(filePath: "\(root)/b.zip"))
    let run = try await CommandRun(["import", "--store", store, root])
    #expect(run.code == 1)
    #expect(
      run.errors == """
        whereabouts: could not read \(root)/b.zip: the archive is damaged, or not complete. Copy or download it again.
        1 kept, 0 duplicates, 0 refused

        """)
  }

  /// The header of gzip without the rest shows no format, and is no file of another kind either.
  @Test(arguments: [1, 2, 10]) func gzipFileInAFolderThatIsCutEarlyIsReported(length: Int) async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let root = try Self.tracks(in: folder)
    let cut = "\(root)/b.csv.gz"
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3].prefix(length)).write(to: URL(filePath: cut))
    let message =
      "whereabouts: could not read \(cut): the compressed data ends in the middle. Copy or download it again.\n"
    let run = try await CommandRun(["import", "--store", store, root])
    #expect(run.code == 1 && run.output.hasPrefix("this: 1 kept"), "\(run.output)")
    #expect(run.errors == message + "1 kept, 0 duplicates, 0 refused\n", "\(run.errors)")
    let alone = try await CommandRun(["import", "--store", store, "--from", "csv", cut])
    #expect(alone.code == 1 && alone.errors.hasPrefix(message), "\(alone.errors)")
  }

  /// Runs a command in a folder with `cut.nmea.gz`, the first part of a compressed drive.
  private static func runWithCutFile(_ command: String) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    return try await CommandRun(
      shell: """
        cd '\(folder.path(""))'
        gzip -c '\(CommandRun.drive)' | head -c 10000 > cut.nmea.gz
        whereabouts \(command)
        """)
  }

  /// The rest is given, and a script notices that fixes are missing.
  @Test(
    .enabled(if: ImportTests.has("gzip"), "needs gzip"),
    arguments: ["convert --to csv", "replay", "replay --json", "replay --track --json"])
  func cutGzipFileIsAFailureOfConversionAndReplay(command: String) async throws {
    let run = try await Self.runWithCutFile("\(command) cut.nmea.gz")
    #expect(run.code == 1 && run.lines.count > 1, "\(run)")
    #expect(run.errors.contains(": the compressed data ends in the middle\n"), "\(run.errors)")
    let message = "whereabouts: could not read all of cut.nmea.gz. See the problems above.\n"
    #expect(run.errors.hasSuffix(message), "\(run.errors)")
    // On a terminal, each problem is shown once.
    #expect(!run.output.contains("Problems"), "\(run.output)")
  }

  @Test(
    .enabled(if: ImportTests.has("gzip"), "needs gzip"),
    arguments: ["days", "visits", "places list", "explain", "fence test --fences '\(CommandRun.places)'"])
  func cutGzipFileIsAFailureOfReports(command: String) async throws {
    let run = try await Self.runWithCutFile("\(command) cut.nmea.gz '\(CommandRun.walk)'")
    #expect(run.code == 1 && (!run.output.isEmpty || ["visits", "places list"].contains(command)), "\(run)")
    #expect(run.errors.contains(": the compressed data ends in the middle\n"), "\(run.errors)")
    let message = "whereabouts: could not read all of cut.nmea.gz. See the problems above.\n"
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  /// The fixes before the cut are printed, a track with its totals.
  @Test(
    .enabled(if: ImportTests.has("gzip"), "needs gzip"),
    arguments: [
      "now --accuracy 1", "watch", "track --json", "fence watch --no-store --fences '\(CommandRun.places)'",
    ])
  func cutGzipFileIsAFailureOfLiveCommands(command: String) async throws {
    let run = try await Self.runWithCutFile("\(command) --source 'replay:cut.nmea.gz?speed=max'")
    let reason = "whereabouts: could not read all of cut.nmea.gz: the compressed data ends in the middle"
    #expect(run.code == 1 && run.errors.contains(reason), "\(run)")
    #expect(!run.output.isEmpty)
    if command.hasPrefix("track") {
      #expect(run.lines.last?.contains(#""end":"2024-05-14T08:"#) == true, "\(run.output)")
    }
  }

  /// The next run fails before its first fix, and prints nothing of the trip.
  @Test(.enabled(if: ImportTests.has("gzip"), "needs gzip")) func tripOfACutGzipFileStaysOpen() async throws {
    let track = "track --store store.sqlite --trip drive --source"
    let run = try await Self.runWithCutFile(
      """
      \(track) 'replay:cut.nmea.gz?speed=max' > /dev/null 2>&1
      whereabouts trips --open --store store.sqlite | grep -c drive
      whereabouts \(track) replay:missing
      """)
    #expect(run.code == 1 && run.lines == ["1"], "\(run)")
    #expect(run.errors.hasSuffix("could not read missing: no such file or directory\n"), "\(run.errors)")
  }

  /// No line of another format is a problem of IGC, and no member of a Timeline is one of GeoJSON.
  @Test func fileInAnotherFormatThanTheGivenOneIsNamed() async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let root = try Self.tracks(in: folder)
    let records = "\(root)/Records.json"
    try Data(ImportTests.records(0..<2).utf8).write(to: URL(filePath: records))
    let advice = "it looks like Google Timeline; pass --from timeline, or leave --from out"
    for (format, title) in [("igc", "IGC"), ("geojson", "GeoJSON"), ("gpx", "GPX")] {
      let run = try await CommandRun(["import", "--store", store, "--from", format, records])
      let message = "could not read \(records): nothing in it could be read as \(title): \(advice)\n"
      #expect(run.code == 1 && run.errors.contains(message), "\(run.errors)")
    }
    let run = try await CommandRun(["import", "--store", store, "--from", "csv", root])
    #expect(run.code == 0 && run.output.hasPrefix("this: 1 kept"), "\(run.output)")
    #expect(run.errors.contains("\(records): \(advice)\n"), "\(run.errors)")
    let conversion = try await CommandRun(["convert", "--from", "igc", "--to", "csv", "\(root)/a.csv"])
    #expect(conversion.code == 1 && conversion.errors.contains("it looks like CSV"), "\(conversion.errors)")
  }

  @Test func archivesOfAFolderThatAreNotReadAreNamed() async throws {
    let folder = try TemporaryFolder(), store = folder.path("store.sqlite")
    let root = try Self.tracks(in: folder)
    try Data([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]).write(to: URL(filePath: "\(root)/b.gpx.xz"))
    let run = try await CommandRun(["import", "--store", store, root])
    #expect(run.code == 0)
    #expect(
      run.errors == """
        \(root)/b.gpx.xz: it is compressed with xz; unpack it first
        skipped 1 file that is not a recording, found in folders
        1 kept, 0 duplicates, 0 refused

        """)
    let forced = try await CommandRun(["import", "--store", store, "--from", "csv", root])
    #expect(forced.code == 0, "\(forced.errors)")
    #expect(
      forced.errors.contains("\(root)/b.gpx.xz: it is compressed with xz; unpack it first\n"),
      "\(forced.errors)")
  }

  /// The name of a tar archive's first file may look like the header of a table.
  @Test(arguments: ["gpx", "nmea", "igc", "csv"]) func archiveThatIsNotReadIsNamedWithAFormat(format: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let opening = Array("lat,lon,time.csv".utf8)
    let padding = [UInt8](repeating: 0, count: 257 - opening.count)
    let file = try folder.file("all.tar", opening + padding + Array("ustar".utf8) + padding)
    let run = try await CommandRun(["import", "--store", folder.path("store.sqlite"), "--from", format, file])
    #expect(run.code == 1, "\(run.errors)")
    #expect(run.errors.contains(": it is a tar archive; unpack it with tar\n"), "\(run.errors)")
    #expect(!run.errors.contains("--from"), "\(run.errors)")
  }
}
