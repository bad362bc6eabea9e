# Writes the symbol graphs of the libraries, of which the documentation and the listing of the API are made. Scripts
# source this file.

. Scripts/lib/build.sh

libraries="Whereabouts WhereaboutsGeodesy WhereaboutsEngine WhereaboutsSources WhereaboutsGeoClue WhereaboutsCoreLocation WhereaboutsStore WhereaboutsUpload WhereaboutsReports WhereaboutsDiagnostics WhereaboutsTesting WhereaboutsFormats WhereaboutsJournal"
# Without a public API: the documentation has only the page that says where to begin.
internal_libraries="WhereaboutsOperations WhereaboutsClient WhereaboutsCompression WhereaboutsSystem WhereaboutsCLI"

# extract_symbols FOLDER: builds the libraries, and writes a graph for each into the folder. FOLDER.modules is a cache.
extract_symbols() {
  symbols=$1
  rm -rf "$symbols"
  mkdir -p "$symbols"
  build --quiet
  bin=$(build --show-bin-path)
  # C modules that the packages underneath are made of: reading a Swift module takes them too.
  # Where they bring no map of themselves, the build has made one.
  module_maps=$(find Sources .build/checkouts/*/Sources "$bin"/*.build/module.modulemap -name module.modulemap | sed 's/^/-Xcc -fmodule-map-file=/')
  target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p')
  sdk=
  [ "$(uname -s)" != Darwin ] || sdk="-sdk $(xcrun --show-sdk-path)"
  for library in $libraries $internal_libraries; do
    reexported=
    # An app imports one module, so the model is documented as a part of it.
    [ "$library" != Whereabouts ] || reexported=-experimental-allowed-reexported-modules=WhereaboutsModel
    # Endpoints and their queues are documented as parts of uploading.
    [ "$library" != WhereaboutsUpload ] || reexported=-experimental-allowed-reexported-modules=WhereaboutsUploadQueue
    # shellcheck disable=SC2086 # each of them is many words
    swift symbolgraph-extract -module-name "$library" -I "$bin/Modules" -target "$target" $sdk $module_maps \
      -module-cache-path "$symbols.modules" -output-dir "$symbols" \
      -skip-synthesized-members -emit-extension-block-symbols $reexported
  done
}
