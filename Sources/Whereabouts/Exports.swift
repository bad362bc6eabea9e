// Apps import this module only; the core comes with the import.
@_exported public import WhereaboutsModel
@_exported public import WhereaboutsGeodesy
