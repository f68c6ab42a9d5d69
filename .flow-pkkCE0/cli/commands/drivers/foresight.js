import { wholeOf } from "../../connection/allow-partial.js";
import { call } from "../../connection/call.js";
import { driverNames } from "../../connection/driver-names.js";
import { vehicleNames } from "../../connection/vehicle-names.js";
import { serviceNow } from "../../context/context.js";
import { CliError } from "../../errors/cli-error.js";
import { firstOf } from "../../errors/unusable.js";
import { isMarkedDeleted } from "../../shape/deleted.js";
import { differences, effectsBetween, effectText, minuteIn, Projection } from "./effects.js";
import { heldOf, isSamePair, outcomeOf } from "./outcome.js";
const ASSIGNMENT_TOLERANCE_MS = 6e4;
async function readAssignments(context, client, pairs) {
  const readAt = serviceNow(context);
  const [held, vehicles, drivers] = await Promise.all([
    readHeld(context, client, pairs),
    vehicleNames(context, client),
    driverNames(context, client)
  ]);
  const words = {
    driver: (id) => drivers.get(id) || id || "unknown driver",
    vehicle: (id) => vehicles.get(id) || id || "unknown vehicle",
    zone: context.zone.name
  };
  const unknownIn = ({ vehicleId, driverId }) => vehicles.has(vehicleId) ? drivers.has(driverId) ? null : "driver" : "vehicle";
  return { pairs, held, words, unknownIn, readAt };
}
async function readHeld(run, client, pairs) {
  const inputs = [
    ...[...new Set(pairs.map(({ vehicleId }) => vehicleId))].map((vehicleId) => ({ vehicleId })),
    ...[...new Set(pairs.flatMap(({ driverId }) => driverId ?? []))].map((driverId) => ({ driverId }))
  ];
  const lists = await wholeOf(
    run,
    (options) => Promise.all(
      inputs.map(
        (input) => call(client, "getDriverAssignments", { input }, options)
      )
    )
  );
  return heldOf(lists.flat().filter((row) => !isMarkedDeleted(row)));
}
function effectsOf({ held }, moves) {
  return effectsBetween(held, outcomeOf(held, moves));
}
async function foresee(context, client, moves) {
  const assignments = await readAssignments(
    context,
    client,
    moves.map(({ pair }) => pair)
  );
  const { held, words } = assignments;
  const projection = new Projection(held, words);
  const effects = effectsOf(assignments, moves);
  const sentences = effects.map((effect) => effectText(effect, words));
  const [only] = moves.length === 1 ? moves : [];
  const running = only && sentences.length === 0 ? runningAt(held, only) : void 0;
  const why = running ? alreadyText(running, words) : null;
  const nobody = only?.kind === "unassign" && sentences.length === 0 ? [nobodyText(only, words)] : [];
  return {
    foresight: {
      sentences: why === null ? [...sentences, ...nobody] : [`${why} The service will change nothing.`],
      effects: moves.map((move) => projection.add([move])),
      check: () => outcomeProblem(context, client, assignments, moves)
    },
    unchanged: only && why !== null ? `Nothing changed. ${why} To end it: ${wayToEnd(only, words)}` : null
  };
}
function runningAt(held, move) {
  if (move.kind !== "assign") return void 0;
  return held.find((one) => isSamePair(one, move.pair) && one.start <= move.at && move.at < one.end);
}
function nobodyText({ pair, at }, words) {
  const who = pair.driverId === null ? "Nobody" : words.driver(pair.driverId);
  const isNot = pair.driverId === null ? "is" : "is not";
  return `${who} ${isNot} assigned to ${words.vehicle(pair.vehicleId)} at ${minuteIn(words.zone)(at)}. The service will refuse the change.`;
}
function alreadyText({ vehicleId, driverId, start, end }, words) {
  const minute = minuteIn(words.zone);
  const until = Number.isFinite(end) ? ` until ${minute(end)}` : "";
  return `${words.driver(driverId)} is assigned to ${words.vehicle(vehicleId)} already, from ${minute(start)}${until}.`;
}
function wayToEnd(move, words) {
  const at = move.kind === "assign" && move.end !== null ? ` --at ${new Date(move.end).toISOString()}` : "";
  return `fleet drivers unassign "${words.vehicle(move.pair.vehicleId)}"${at}`;
}
async function outcomeProblem(context, client, { pairs, held, readAt, words }, moves) {
  const found = await readHeld(context, client, pairs);
  const tolerance = ASSIGNMENT_TOLERANCE_MS + Math.max(0, serviceNow(context) - readAt);
  const told = differences(outcomeOf(held, moves), found, tolerance, words);
  if (told.length === 0) return null;
  return new CliError("GRAPHQL", "The changes were made, but the assignments are not as planned.", {
    operation: "getDriverAssignments",
    details: firstOf(told),
    hint: "The service follows other rules than this program knows, or somebody else changed them in the meantime. `fleet drivers assignments` shows them."
  });
}
export {
  ASSIGNMENT_TOLERANCE_MS,
  effectsOf,
  foresee,
  outcomeProblem,
  readAssignments
};
