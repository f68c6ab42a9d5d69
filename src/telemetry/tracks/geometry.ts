// The GeoJSON geometries (RFC 7946), so that the published types need no types package.

/** Longitude, latitude, and metres above sea level when known. */
export type Position = number[];

export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] }
  | { readonly type: 'Polygon'; readonly coordinates: Position[][] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: Position[][][] }
  | { readonly type: 'GeometryCollection'; readonly geometries: Geometry[] };
