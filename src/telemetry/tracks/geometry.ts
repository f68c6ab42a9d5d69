// The geometries of GeoJSON (RFC 7946). Written down here because the published types must not ask for a package of types.

/** Longitude, latitude, and metres above sea level where they are known. */
export type Position = number[];

export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] }
  | { readonly type: 'Polygon'; readonly coordinates: Position[][] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: Position[][][] }
  | { readonly type: 'GeometryCollection'; readonly geometries: Geometry[] };
