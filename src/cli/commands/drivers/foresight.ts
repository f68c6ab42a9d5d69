// Predicts the effects of assignment changes, and compares them with the outcome.

import type * as contract from '../../../generated/contract-types.js';
import type { FleetClient } from '../../../index.js';
import { wholeOf } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { driverNames } from '../../connection/driver-names.js';
import { vehicleNames } from '../../connection/vehicle-names.js';
import { type Context, type ReportingRun, serviceNow } from '../../context/context.js';
import { CliError } from '../../errors/cli-error.js';
import { firstOf } from '../../errors/unusable.js';
import type { Foresight } from '../../plan/plan.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import type { AssignmentRow } from '../../views/assignment.js';
import { differences, type Effect, effectsBetween, effectText, minuteIn, Projection, type Words } from './effects.js';
import { distinctAssignments, type HeldAssignment, isSamePair, type Move, outcomeOf, type Pair } from './outcome.js';

/** Tolerance for times of assignments: services may round them. */
export const ASSIGNMENT_TOLERANCE_MS = 60_000;

/** Vehicle and driver of a change. Without a driver, only assignments of the vehicle can change. */
type AffectedPair = Move['pair'];

export interface Assignments {
  readonly pairs: readonly AffectedPair[];
  readonly held: readonly HeldAssignment[];
  /** Names of vehicles and drivers, for sentences. */
  readonly words: Words;
  /** Returns the kind of the record that does not exist; null when both exist. */
  readonly unknownIn: (pair: Pair) => 'vehicle' | 'driver' | null;
  /** Service time in milliseconds. */
  readonly readAt: number;
}

/** Reads the assignments that the changes may affect. Throws CliError GRAPHQL when incomplete. */
export async function readAssignments(
  context: Context,
  client: FleetClient,
  pairs: readonly AffectedPair[],
): Promise<Assignments> {
  const readAt = serviceNow(context);
  const [held, vehicles, drivers] = await Promise.all([
    readHeld(context, client, pairs),
    vehicleNames(context, client),
    driverNames(context, client),
  ]);
  const words: Words = {
    driver: (id) => drivers.get(id) || id || 'unknown driver',
    vehicle: (id) => vehicles.get(id) || id || 'unknown vehicle',
    zone: context.zone.name,
  };
  const unknownIn = ({ vehicleId, driverId }: Pair) =>
    vehicles.has(vehicleId) ? (drivers.has(driverId) ? null : 'driver') : 'vehicle';
  return { pairs, held, words, unknownIn, readAt };
}

async function readHeld(
  run: ReportingRun,
  client: FleetClient,
  pairs: readonly AffectedPair[],
): Promise<readonly HeldAssignment[]> {
  const inputs: readonly contract.GetDriverAssignmentsInput[] = [
    ...[...new Set(pairs.map(({ vehicleId }) => vehicleId))].map((vehicleId) => ({ vehicleId })),
    ...[...new Set(pairs.flatMap(({ driverId }) => driverId ?? []))].map((driverId) => ({ driverId })),
  ];
  const lists = await wholeOf(run, (options) =>
    Promise.all(
      inputs.map(
        (input): Promise<readonly AssignmentRow[]> => call(client, 'getDriverAssignments', { input }, options),
      ),
    ),
  );
  return distinctAssignments(lists.flat().filter((row) => !isMarkedDeleted(row)));
}

export function effectsOf({ held }: Assignments, moves: readonly Move[]): readonly Effect[] {
  return effectsBetween(held, outcomeOf(held, moves));
}

interface PredictedMoves {
  readonly foresight: Foresight;
  /** Explains why a single move has no effect; else null. */
  readonly unchanged: string | null;
}

/** Predicts the effects of moves that are sent in order. */
export async function predictMoves(
  context: Context,
  client: FleetClient,
  moves: readonly Move[],
): Promise<PredictedMoves> {
  const assignments = await readAssignments(
    context,
    client,
    moves.map(({ pair }) => pair),
  );
  const { held, words } = assignments;
  const projection = new Projection(held, words);
  const effects = effectsOf(assignments, moves);
  const sentences = effects.map((effect) => effectText(effect, words));
  const [only] = moves.length === 1 ? moves : [];
  const running = only && sentences.length === 0 ? runningAt(held, only) : undefined;
  const why = running ? alreadyText(running, words) : null;
  const nobody = only?.kind === 'unassign' && sentences.length === 0 ? [nobodyText(only, words)] : [];
  return {
    foresight: {
      sentences: why === null ? [...sentences, ...nobody] : [`${why} The service will change nothing.`],
      effects: moves.map((move) => projection.add([move])),
      check: () => outcomeProblem(context, client, assignments, moves),
    },
    unchanged: only && why !== null ? `Nothing changed. ${why} To end it: ${unassignCommand(only, words)}` : null,
  };
}

function runningAt(held: readonly HeldAssignment[], move: Move): HeldAssignment | undefined {
  if (move.kind !== 'assign') return undefined;
  return held.find((one) => isSamePair(one, move.pair) && one.start <= move.at && move.at < one.end);
}

function nobodyText({ pair, at }: Move, words: Words): string {
  const who = pair.driverId === null ? 'Nobody' : words.driver(pair.driverId);
  const isNot = pair.driverId === null ? 'is' : 'is not';
  return `${who} ${isNot} assigned to ${words.vehicle(pair.vehicleId)} at ${minuteIn(words.zone)(at)}. The service will refuse the change.`;
}

function alreadyText({ vehicleId, driverId, start, end }: HeldAssignment, words: Words): string {
  const minute = minuteIn(words.zone);
  const until = Number.isFinite(end) ? ` until ${minute(end)}` : '';
  return `${words.driver(driverId)} is assigned to ${words.vehicle(vehicleId)} already, from ${minute(start)}${until}.`;
}

function unassignCommand(move: Move, words: Words): string {
  const at = move.kind === 'assign' && move.end !== null ? ` --at ${new Date(move.end).toISOString()}` : '';
  return `fleet drivers unassign "${words.vehicle(move.pair.vehicleId)}"${at}`;
}

/** Returns an error when the assignments differ from the plan after all moves, else null. */
export async function outcomeProblem(
  context: Context,
  client: FleetClient,
  { pairs, held, readAt, words }: Assignments,
  moves: readonly Move[],
): Promise<CliError | null> {
  const found = await readHeld(context, client, pairs);
  // A change without a time takes effect when the service receives it.
  const tolerance = ASSIGNMENT_TOLERANCE_MS + Math.max(0, serviceNow(context) - readAt);
  const deviations = differences(outcomeOf(held, moves), found, tolerance, words);
  if (deviations.length === 0) return null;
  return new CliError('GRAPHQL', 'The changes were made, but the assignments are not as planned.', {
    operation: 'getDriverAssignments',
    details: firstOf(deviations),
    hint: 'The service follows other rules than this program knows, or somebody else changed them in the meantime. `fleet drivers assignments` shows them.',
  });
}
