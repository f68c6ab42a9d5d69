// Plans the steps of a change from the command line. Each step sends the operation of its command.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { isObject } from '../../core/json.js';
import type { Members } from '../records/differences.js';
import type { Request } from '../records/requests.js';
import {
  type Change,
  type ChangeSpec,
  type Present,
  type ResolvedChange,
  subjectIds,
  subjectOf,
} from './change-spec.js';
import type { Foresight, PlanStep } from './plan.js';
import { planChange, planCreation, planDeletion } from './plan-record.js';
import { createdMembers, type PlannedChange, withNames } from './record-change.js';

interface PlanningData {
  readonly present: Present;
  /** Null when effects are not predicted, or could not be. */
  readonly foresight: Foresight | null;
  readonly select: SelectionTree | undefined;
}

export function stepsOf<Row>(
  spec: Change<Row>,
  changes: readonly ResolvedChange[],
  { present, foresight, select }: PlanningData,
): readonly PlanStep[] {
  const { operation } = spec;
  return changes.map((change, index): PlanStep => {
    const { records, requests } = describe(spec, change, present);
    const idempotent = spec.idempotent?.(change.variables) ?? false;
    const sent = requests.map((one) => ({
      ...one,
      idempotent,
      select: one.operation === operation ? select : undefined,
    }));
    const effects = foresight?.effects[index];
    const stepRecords = effects
      ? withPredictedEffects(effects, records)
      : spec.foresee
        ? withUnknownEffects(records)
        : combineRecords(records);
    return { line: null, source: null, ...stepRecords, requests: sent };
  });
}

interface RecordPlans {
  readonly records: readonly PlannedChange[];
  readonly requests: readonly Pick<Request, 'operation' | 'variables'>[];
}

/** Returns the records that a change affects, and the requests that it sends. */
function describe(spec: ChangeSpec, change: ResolvedChange, { records, names }: Present): RecordPlans {
  const { operation } = spec;
  const { kind, action, desiredMembers = (members) => members } = spec.subject;
  const members = desiredMembers(givenMembers(spec, change));
  const ids = subjectIds(spec, change);
  const own = [{ operation, variables: change.variables }];
  if (!('idVariable' in kind)) {
    const name = names.get(ids[0] ?? '') ?? '';
    const changes = withNames(createdMembers(members), names);
    return { records: [{ kind: kind.noun, action, name, id: null, changes }], requests: own };
  }
  if (action === 'create') return { records: [planCreation(kind, members, names).record], requests: own };
  if (action === 'delete') {
    return { records: ids.map((id) => planDeletion(kind, id, records.get(id), names).record), requests: own };
  }
  const steps = ids.map((id) => planChange(kind, id, members, records.get(id), names));
  const [only] = steps;
  // Members outside the input are sent as they are, in the operation of the command.
  const isOwn = Object.keys(members).some((name) => separateMembers.has(name));
  const isUpdate = operation === kind.update.operation && only !== undefined && !isOwn;
  return { records: steps.map(({ record }) => record), requests: isUpdate ? only.requests : own };
}

/** Members of a record that other operations change. */
const separateMembers: ReadonlySet<string> = new Set(['groupIds', 'addGroupIds', 'removeGroupIds', 'roleIds']);

function givenMembers(spec: ChangeSpec, { variables }: ResolvedChange): Members {
  const input = spec.input ? variables[spec.input.variable] : variables;
  const subject = subjectOf(spec)?.name;
  return Object.fromEntries(Object.entries(isObject(input) ? input : {}).filter(([name]) => name !== subject));
}

/** Returns the record of a step. Several records are combined under a joined name. */
function combineRecords(records: readonly PlannedChange[]): Pick<PlanStep, 'record' | 'effects'> {
  const [first = nothing, ...others] = records;
  if (others.length === 0) return { record: first };
  const action = records.find((one) => one.action !== 'keep')?.action ?? 'keep';
  return {
    record: { ...first, action, name: records.map(({ name }) => name).join(', '), id: null, changes: [] },
    effects: records,
  };
}

/** Returns the records of a step from its effects. A step without effects is still sent. */
function withPredictedEffects(
  effects: readonly PlannedChange[],
  described: readonly PlannedChange[],
): Pick<PlanStep, 'record' | 'effects' | 'isAlwaysSent'> {
  if (effects.length > 0) return { ...combineRecords(effects), effects };
  return { record: { ...combineRecords(described).record, action: 'keep', changes: [] }, effects, isAlwaysSent: true };
}

/**
 * Marks the record as ending, so that a confirmation is asked: unknown effects may end assignments.
 */
function withUnknownEffects(records: readonly PlannedChange[]): Pick<PlanStep, 'record'> {
  return { record: { ...combineRecords(records).record, isEnding: true } };
}

const nothing: PlannedChange = { kind: '', action: 'update', name: '', id: null, changes: [] };
