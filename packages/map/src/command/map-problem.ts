// Converts errors for the page: a kind, which the page translates, and the command line's text.

import { FleetError } from 'fleet-telematics';
import type { ErrorFacts, Warning } from 'fleet-telematics/kit';
import type { Run } from 'fleet-telematics/kit/command';
import { CliError, commandFailureOf, isNotFound } from 'fleet-telematics/kit/command';
import type { MapProblem, ProblemKind } from '../shapes.js';

type Kind = ProblemKind | null;

/** Null: a problem for the operator, shown in the words of the command line. */
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

export class DayNotBegun extends CliError {
  constructor(day: string) {
    super('USAGE', `${day} has not begun yet.`, { hint: 'Choose an earlier day.' });
  }
}

export function problemOf(run: Run, error: unknown): MapProblem {
  const { message, details, hint } = commandFailureOf(error, run.io.signal.aborted, run.globals.timeout);
  const { kind, values } = kindOf(error);
  // The translated sentence about unreliable data does not name the data.
  const detailLines = kind === 'dataDoubtful' ? [message, ...details] : details;
  return { kind, values, details: detailLines, message: [message, ...details].join(' '), hint };
}

export function problemOfWarning({ code, message }: Warning): MapProblem {
  return { kind: kindsOfWarnings[code] ?? null, values: {}, details: [message], message, hint: null };
}

/** Returns the problem for the warnings of an answer. `isWhole`: no data is missing. */
export function problemOfWarnings(warnings: readonly string[], isWhole: boolean): MapProblem {
  const message = warnings.join(' ');
  return { kind: isWhole ? null : 'incomplete', values: {}, details: warnings, message, hint: null };
}

function kindOf(error: unknown): Pick<MapProblem, 'kind' | 'values'> {
  if (error instanceof DayNotBegun) return { kind: 'dayNotBegun', values: {} };
  // An answer that may be incomplete has not arrived at all.
  if (error instanceof CliError) return { kind: error.code === 'GRAPHQL' ? 'serviceError' : null, values: {} };
  if (!FleetError.is(error)) return { kind: null, values: {} };
  const { facts } = error;
  switch (facts.kind) {
    case 'status':
      return { kind: kindOfStatus(facts.status), values: { status: String(facts.status) } };
    case 'graphqlErrors':
      // The map requests only vehicles by id.
      return { kind: isNotFound(error) ? 'vehicleGone' : 'serviceError', values: {} };
    default:
      return { kind: kinds[facts.kind], values: {} };
  }
}

function kindOfStatus(status: number): ProblemKind {
  if (status === 403) return 'notAllowed';
  return status >= 500 ? 'serviceFailing' : 'requestRefused';
}
