// What is known of a vehicle at one time. It stands alone, so that a page in the browser can have it too.

/** One position of a track. */
export interface Fix {
  readonly vehicleId: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Degrees of WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above sea level. */
  readonly altitude: number | null;
  /** Kilometres per hour. */
  readonly speed: number | null;
  /** Degrees clockwise from north, 0 to below 360. */
  readonly direction: number | null;
  readonly ignition: boolean | null;
}
