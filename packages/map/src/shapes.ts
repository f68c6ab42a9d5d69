// What the page of `fleet map` gets to know, as plain JSON. The page and the program share these types, and what measures the way to a geofence.
// Times are milliseconds since 1970, positions degrees of WGS 84, speeds km/h, distances km.

/** As of `liveStatus`. */
export type MapStatus = 'moving' | 'idling' | 'stopped' | 'stale' | 'offline' | 'unknown';

/** A vehicle as its last snapshot shows it. */
export interface MapVehicle {
  readonly id: string;
  readonly name: string | null;
  readonly plate: string | null;
  readonly status: MapStatus;
  /** The time of the last snapshot. */
  readonly at: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  /** Degrees clockwise from north. */
  readonly heading: number | null;
  /** The driver whom the last snapshot identifies: a name, or the id when the name is unknown. */
  readonly driver: string | null;
  /** Where it is; null when no geofence is known. */
  readonly place: MapPlace | null;
}

/** A position in words: in a geofence, or how far from the nearest one. */
export interface MapPlace {
  readonly name: string;
  /** From its edge; 0 inside. */
  readonly metres: number;
  /** From the geofence to the position, such as `NE`; null inside. */
  readonly direction: string | null;
}

/** Longitude and latitude. */
export type MapPoint = readonly [longitude: number, latitude: number];

export interface MapGeofence {
  readonly id: string;
  readonly name: string | null;
  /** As the service sends it, such as `#1F77B4`. */
  readonly color: string | null;
  /** As the service sends it, such as `DEPOT`. */
  readonly type: string | null;
  /** In one line. */
  readonly address: string | null;
  /** Each with its outer ring first, then its holes. */
  readonly polygons: readonly (readonly (readonly MapPoint[])[])[];
  /** Circles are paths of one point, corridors paths of several. */
  readonly buffers: readonly { readonly path: readonly MapPoint[]; readonly radiusMetres: number }[];
}

/**
 * The positions of a vehicle in order of time, as columns of whole numbers, each but the speeds as the difference to the one before. A day
 * of 50,000 positions is about a megabyte.
 */
export interface TrackColumns {
  /** What the first time is counted from. */
  readonly start: number;
  /** Seconds. */
  readonly times: readonly number[];
  /** Hundred-thousandths of a degree, about a metre. */
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  /** -1 where no speed is known. */
  readonly speeds: readonly number[];
  /** The indices at which the line begins anew, after a long silence. */
  readonly breaks: readonly number[];
}

export interface MapTrip {
  /** The start of the period when it began before. */
  readonly from: number;
  /** Null while it is under way; the end of the period when it went on. */
  readonly to: number | null;
  readonly lastSeenAt: number;
  /** It began before the period, or may have. Only what lies inside of the period counts. */
  readonly beganBefore: boolean;
  /** It went on after the period. */
  readonly wentOn: boolean;
  readonly km: number;
  /** Another source of the distance disagrees. */
  readonly isDoubted: boolean;
  readonly topSpeed: number | null;
  readonly movingMs: number;
  /** Standing with the ignition on. */
  readonly idleMs: number;
  readonly fuelUsed: number | null;
  /** The contract gives no unit for the other counters. */
  readonly isFuelInLitres: boolean;
  /** The last readings of the trip. */
  readonly odometerKm: number | null;
  /** What is in the tank; the contract gives no unit. */
  readonly tank: number | null;
  readonly drivers: readonly string[];
  readonly startPlace: MapPlace | null;
  readonly endPlace: MapPlace | null;
}

/** A place where the vehicle stood for five minutes or more, with the engine on or off. */
export interface MapStop {
  /** The beginning of the period when it had been there before. */
  readonly from: number;
  readonly beganBefore: boolean;
  /** Null when it was still there at the end. */
  readonly to: number | null;
  /** The part with the engine on; null when the engine is not known. */
  readonly idleMs: number | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly place: MapPlace | null;
}

/** A time in a geofence. */
export interface MapVisit {
  readonly name: string;
  /** Null when it was there with its first position. */
  readonly from: number | null;
  /** Null when it was there with its last one. */
  readonly to: number | null;
  /** The last position inside. */
  readonly lastSeenAt: number;
}

/** A driver behaviour event, such as HARSH_BRAKING. */
export interface MapEvent {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly type: string;
  readonly value: number | null;
  /** Of its own snapshot. */
  readonly speed: number | null;
  readonly place: MapPlace | null;
}

/** What a vehicle did in a period. */
export interface MapDay {
  readonly vehicleId: string;
  readonly from: number;
  readonly to: number;
  readonly track: TrackColumns;
  /** The last time at which the vehicle sent a position, in milliseconds since 1970; null when it sent none. */
  readonly lastFixAt: number | null;
  readonly trips: readonly MapTrip[];
  readonly stops: readonly MapStop[];
  readonly events: readonly MapEvent[];
  /** In the order in which they began. */
  readonly visits: readonly MapVisit[];
  /** The driver who is assigned now: a name or an id. */
  readonly assigned: string | null;
  /** What is missing because it could not be read. */
  readonly notes: readonly MapProblem[];
  /** The same of single snapshots. */
  readonly warnings: readonly MapProblem[];
}

/** Lines of roads driven, for a map without tiles: hundred-thousandths of a degree, longitude and latitude in turn, as differences. */
export interface MapRoads {
  /** When the 24 hours end that they are of. */
  readonly to: number;
  readonly lines: readonly (readonly number[])[];
}

/** What goes wrong, as people who look at the map tell it apart. The page has a sentence for each in its language. */
export type ProblemKind =
  // The service and the way to it.
  | 'serviceAway'
  | 'serviceSilent'
  | 'serviceFailing'
  | 'serviceBusy'
  | 'serviceError'
  | 'otherService'
  | 'requestRefused'
  | 'notAllowed'
  | 'loginRefused'
  | 'signedOut'
  // What was asked for.
  | 'vehicleGone'
  | 'dayNotBegun'
  // What an answer lacks.
  | 'incomplete'
  | 'tripsMissing'
  | 'trackMissing'
  /** Some values cannot be read, came too late or contradict others. */
  | 'dataDoubtful';

/** What goes wrong. */
export interface MapProblem {
  /** Null when there are only words. */
  readonly kind: ProblemKind | null;
  /** What the sentence of the kind has in it. */
  readonly values: Readonly<Record<string, string>>;
  /** What the kind does not say, such as the service's own messages, in English. */
  readonly details: readonly string[];
  /** All of it in English, as the command line says it. */
  readonly message: string;
  /** What to do next, in English. */
  readonly hint: string | null;
}

/** What the stream of events tells the page. */
export type LiveMessage =
  | {
      readonly kind: 'fleet';
      /** The time of the service when it answered. */
      readonly at: number;
      /** How old the answer is. */
      readonly ageMs: number;
      readonly vehicles: readonly MapVehicle[];
    }
  | {
      readonly kind: 'changes';
      readonly at: number;
      readonly vehicles: readonly MapVehicle[];
      /** The ids of vehicles that are no longer visible. */
      readonly gone: readonly string[];
    }
  | {
      readonly kind: 'problem';
      readonly problem: MapProblem;
      /** There is no new data because of it. */
      readonly isOutage: boolean;
      /** When the service is asked again; null when it is not, or when it answers. */
      readonly waitMs: number | null;
      /** The program has ended. */
      readonly isEnd: boolean;
    };

export interface MapTiles {
  /** An address with `{z}`, `{x}` and `{y}`, and maybe `{s}`. */
  readonly template: string;
  readonly attribution: string;
}

/** Streets from an archive of vector tiles (PMTiles) with the layers of Protomaps' basemap. */
export interface MapStreets {
  /** Null: the program serves the archive, or it is in the page. */
  readonly url: string | null;
}

interface CommonSetup {
  readonly title: string;
  /** IANA name of the time zone that times are shown in. */
  readonly zone: string;
  readonly tiles: MapTiles | null;
  readonly streets: MapStreets | null;
}

/** A day of the calendar, as the zone has it. */
export interface MapDate {
  /** Such as 2026-03-01. */
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

export interface LiveSetup extends CommonSetup {
  readonly kind: 'live';
  /** The pause between two answers of the service. */
  readonly everyMs: number;
}

export interface FileSetup extends CommonSetup {
  readonly kind: 'file';
  readonly from: number;
  readonly to: number;
  readonly writtenAt: number;
  readonly dates: readonly MapDate[];
  readonly vehicles: readonly MapVehicle[];
  readonly geofences: readonly MapGeofence[];
  readonly days: readonly MapDay[];
}

/** What is in the page itself. */
export type MapSetup = LiveSetup | FileSetup;
