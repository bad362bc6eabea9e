// Endpoints are described with the upload templates of this module.
@_exported import WhereaboutsFormats
