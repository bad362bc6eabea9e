// Endpoints and their queues are a part of uploading, and are described with the upload templates of the formats.
@_exported import WhereaboutsFormats
@_exported import WhereaboutsUploadQueue
