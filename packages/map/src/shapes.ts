// The data of the `fleet map` page as plain JSON; page and server share these types. Times are
// milliseconds since 1970, positions degrees of WGS 84, speeds km/h, distances km.

/** As of `liveStatus`. */
export type MapStatus = 'moving' | 'idling' | 'stopped' | 'stale' | 'offline' | 'unknown';

export interface MapVehicle {
  readonly id: string;
  readonly name: string | null;
  readonly plate: string | null;
  readonly status: MapStatus;
  readonly deactivated?: true;
  /** Time of the last snapshot. */
  readonly at: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  /** Degrees clockwise from north. */
  readonly heading: number | null;
  /** Driver of the last snapshot: a name, or an id. */
  readonly driver: string | null;
  /** Null without a geofence. */
  readonly place: MapPlace | null;
}

/** A position relative to a geofence: inside, or the distance from the nearest one. */
export interface MapPlace {
  readonly name: string;
  /** From the edge; 0 inside. */
  readonly metres: number;
  /** From the geofence, such as `NE`; null inside. */
  readonly direction: string | null;
}

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
  /** Outer ring first, then holes. */
  readonly polygons: readonly (readonly (readonly MapPoint[])[])[];
  /** A circle has a path of one point, a corridor of several. */
  readonly buffers: readonly { readonly path: readonly MapPoint[]; readonly radiusMetres: number }[];
}

/**
 * The positions of a vehicle in time order, as columns of whole numbers. All but speeds are
 * differences to the previous value. 50,000 positions take about a megabyte.
 */
export interface TrackColumns {
  /** Base of the first time. */
  readonly start: number;
  /** In seconds. */
  readonly times: readonly number[];
  /** In hundred-thousandths of a degree, about a metre. */
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  /** -1 when unknown. */
  readonly speeds: readonly number[];
  /** Indices where a new line begins after a gap. */
  readonly breaks: readonly number[];
}

export interface MapTrip {
  /** The period's start when it began before. */
  readonly from: number;
  /** Null while in progress; the period's end when it continues. */
  readonly to: number | null;
  readonly lastSeenAt: number;
  /** True when it began, or may have begun, before the period. Values cover the period only. */
  readonly beganBefore: boolean;
  /** It continues after the period. */
  readonly wentOn: boolean;
  readonly km: number;
  /** Another source of the distance disagrees. */
  readonly isDoubted: boolean;
  readonly topSpeed: number | null;
  readonly movingMs: number;
  /** Standing with the ignition on. */
  readonly idleMs: number;
  readonly fuelUsed: number | null;
  /** The contract gives no unit for other counters. */
  readonly isFuelInLitres: boolean;
  /** Last reading of the trip. */
  readonly odometerKm: number | null;
  /** Fuel in the tank; the contract gives no unit. */
  readonly tank: number | null;
  readonly drivers: readonly string[];
  readonly startPlace: MapPlace | null;
  readonly endPlace: MapPlace | null;
}

/** A position where the vehicle stood for five minutes or more, with the engine on or off. */
export interface MapStop {
  /** The period's start when the stop began before. */
  readonly from: number;
  readonly beganBefore: boolean;
  /** Null when still standing at the end. */
  readonly to: number | null;
  /** Time with the engine on; null when unknown. */
  readonly idleMs: number | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly place: MapPlace | null;
}

/** A stay in a geofence. */
export interface MapVisit {
  readonly name: string;
  /** Null when already inside at the first position. */
  readonly from: number | null;
  /** Null when still inside at the last position. */
  readonly to: number | null;
  /** Time of the last position inside. */
  readonly lastSeenAt: number;
}

/** A driver behaviour event, such as HARSH_BRAKING. */
export interface MapEvent {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly type: string;
  readonly value: number | null;
  /** From its own snapshot. */
  readonly speed: number | null;
  readonly place: MapPlace | null;
}

/** The data of a vehicle in a period. */
export interface MapDay {
  readonly vehicleId: string;
  readonly from: number;
  readonly to: number;
  readonly track: TrackColumns;
  /** Time of the last position; null without any. */
  readonly lastFixAt: number | null;
  readonly trips: readonly MapTrip[];
  readonly stops: readonly MapStop[];
  readonly events: readonly MapEvent[];
  /** In order of their beginnings. */
  readonly visits: readonly MapVisit[];
  /** Name or id of the currently assigned driver. */
  readonly assigned: string | null;
  /** Data that is missing because it could not be read. */
  readonly notes: readonly MapProblem[];
  /** Problems with single snapshots. */
  readonly warnings: readonly MapProblem[];
}

/**
 * Driven roads, for a map without tiles. Lines alternate longitude and latitude, in
 * hundred-thousandths of a degree, as differences.
 */
export interface MapRoads {
  /** End of the 24 hours. */
  readonly to: number;
  readonly lines: readonly (readonly number[])[];
}

/** The kind of a problem. The page has a translated sentence for each. */
export type ProblemKind =
  // The service and the connection to it
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
  // The request
  | 'vehicleGone'
  | 'dayNotBegun'
  // Incomplete answers
  | 'incomplete'
  | 'tripsMissing'
  | 'trackMissing'
  /** Values that are unreadable, late or contradictory. */
  | 'dataDoubtful';

/** A problem to show on the page. */
export interface MapProblem {
  /** Null when there is only a text. */
  readonly kind: ProblemKind | null;
  /** Values for the placeholders of the sentence. */
  readonly values: Readonly<Record<string, string>>;
  /** English details, such as the service's messages. */
  readonly details: readonly string[];
  /** The complete English text of the command line. */
  readonly message: string;
  /** Next step for the user, in English. */
  readonly hint: string | null;
}

/** A message of the event stream. */
export type LiveMessage =
  | {
      readonly kind: 'fleet';
      /** The service's time of the answer. */
      readonly at: number;
      /** Age of the answer. */
      readonly ageMs: number;
      readonly vehicles: readonly MapVehicle[];
    }
  | {
      readonly kind: 'changes';
      readonly at: number;
      readonly vehicles: readonly MapVehicle[];
      /** Ids of vehicles that are no longer visible. */
      readonly gone: readonly string[];
    }
  | {
      readonly kind: 'problem';
      readonly problem: MapProblem;
      /** True when it prevents new data. */
      readonly isOutage: boolean;
      /** Time until the retry; null without one. */
      readonly waitMs: number | null;
      /** The server has ended. */
      readonly isEnd: boolean;
    };

export interface MapTiles {
  /** Address with `{z}`, `{x}`, `{y}`, and optionally `{s}`. */
  readonly template: string;
  readonly attribution: string;
}

/** Streets of a PMTiles archive with the layers of the Protomaps basemap. */
export interface MapStreets {
  /** Null when served locally or embedded. */
  readonly url: string | null;
}

interface CommonSetup {
  readonly title: string;
  /** IANA name of the fleet's time zone. */
  readonly zone: string;
  readonly tiles: MapTiles | null;
  readonly streets: MapStreets | null;
}

/** A calendar day in the fleet's time zone. */
export interface MapDate {
  /** Such as 2026-03-01. */
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

export interface LiveSetup extends CommonSetup {
  readonly kind: 'live';
  /** Pause between two polls of the service. */
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

/** The setup that is embedded in the page. */
export type MapSetup = LiveSetup | FileSetup;
