// What goes wrong, for the page of the map: of which kind it is, so that the page can say it in its language, and the words of the command line.

import { FleetError } from 'fleet-telematics';
import type { ErrorFacts, Warning } from 'fleet-telematics/kit';
import type { Run } from 'fleet-telematics/kit/command';
import { CliError, commandFailureOf, isNotFound } from 'fleet-telematics/kit/command';
import type { MapProblem, ProblemKind } from '../shapes.js';

type Kind = ProblemKind | null;

/** Null: it concerns those who run the map, in the words of the command line. */
const kinds: Readonly<Record<Exclude<ErrorFacts['kind'], 'status' | 'graphqlErrors'>, Kind>> = {
  loginRefused: 'loginRefused',
  notLoggedIn: 'signedOut',
  severalSessions: 'signedOut',
  notRenewed: null,
  tokenRefused: 'signedOut',
  sessionEnded: 'signedOut',
  userNotChosen: null,
  fleetNotFound: null,
  unreachable: 'serviceAway',
  refusedByProxy: 'serviceAway',
  unsendable: null,
  untrusted: null,
  notHttp: 'otherService',
  connectionLost: 'serviceAway',
  cutAnswer: 'serviceAway',
  exception: null,
  silence: 'serviceSilent',
  timeRanOut: 'serviceSilent',
  notSentInTime: 'serviceSilent',
  rateLimited: 'serviceBusy',
  notGraphQL: 'otherService',
  tooLarge: null,
  redirected: 'otherService',
  offContract: 'otherService',
  nullList: 'incomplete',
  inDoubt: null,
  aborted: null,
  closed: null,
  queueFull: 'serviceBusy',
  refusedInput: null,
  unreadable: 'dataDoubtful',
  oddAnswer: 'otherService',
  other: null,
};

const kindsOfWarnings: Readonly<Partial<Record<Warning['code'], ProblemKind>>> = {
  PARTIAL_DATA: 'incomplete',
  NULL_LIST: 'incomplete',
  NULL_ROWS: 'incomplete',
  UNREADABLE_VALUES: 'dataDoubtful',
  NO_IGNITION: 'dataDoubtful',
  DEVICE_CLOCK: 'dataDoubtful',
  ROWS_OUT_OF_ORDER: 'dataDoubtful',
};

/** A day that lies in the future. */
export class DayNotBegun extends CliError {
  constructor(day: string) {
    super('USAGE', `${day} has not begun yet.`, { hint: 'Choose an earlier day.' });
  }
}

export function problemOf(run: Run, error: unknown): MapProblem {
  const { message, details, hint } = commandFailureOf(error, run.io.signal.aborted, run.globals.timeout);
  const { kind, values } = kindOf(error);
  // The sentence about doubtful data does not say which.
  const said = kind === 'dataDoubtful' ? [message, ...details] : details;
  return { kind, values, details: said, message: [message, ...details].join(' '), hint };
}

export function problemOfWarning({ code, message }: Warning): MapProblem {
  return { kind: kindsOfWarnings[code] ?? null, values: {}, details: [message], message, hint: null };
}

/** Those of an answer. `isWhole`: nothing is missing in it. */
export function problemOfWarnings(warnings: readonly string[], isWhole: boolean): MapProblem {
  const message = warnings.join(' ');
  return { kind: isWhole ? null : 'incomplete', values: {}, details: warnings, message, hint: null };
}

function kindOf(error: unknown): Pick<MapProblem, 'kind' | 'values'> {
  if (error instanceof DayNotBegun) return { kind: 'dayNotBegun', values: {} };
  // Nothing arrived of an answer that may be incomplete.
  if (error instanceof CliError) return { kind: error.code === 'GRAPHQL' ? 'serviceError' : null, values: {} };
  if (!FleetError.is(error)) return { kind: null, values: {} };
  const { facts } = error;
  switch (facts.kind) {
    case 'status':
      return { kind: kindOfStatus(facts.status), values: { status: String(facts.status) } };
    case 'graphqlErrors':
      // A vehicle is all that the map asks for by its id.
      return { kind: isNotFound(error) ? 'vehicleGone' : 'serviceError', values: {} };
    default:
      return { kind: kinds[facts.kind], values: {} };
  }
}

function kindOfStatus(status: number): ProblemKind {
  if (status === 403) return 'notAllowed';
  return status >= 500 ? 'serviceFailing' : 'requestRefused';
}
