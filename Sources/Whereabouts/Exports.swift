// Apps import this module only; it exports the model, and of the geometry the types that apps declare.
@_exported public import WhereaboutsModel
@_exported public import enum WhereaboutsGeodesy.Area
@_exported public import enum WhereaboutsGeodesy.AreaError
@_exported public import struct WhereaboutsGeodesy.BoundingBox
@_exported public import struct WhereaboutsGeodesy.Coordinate
