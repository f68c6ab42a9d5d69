// A position fix of a vehicle. In a file without imports, for pages in the browser.

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
