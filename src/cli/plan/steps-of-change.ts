// The steps of a change that the command line says in words: each sends the operation of its command.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { isObject } from '../../core/json.js';
import type { Members } from '../records/differences.js';
import {
  type Change,
  type ChangeSpec,
  type Present,
  type ResolvedChange,
  subjectIds,
  subjectOf,
} from './change-spec.js';
import type { Foresight, PlanStep } from './plan.js';
import { compareRecord, planCreation, planDeletion } from './plan-record.js';
import { createdMembers, type PlannedChange, withNames } from './record-change.js';

/** What is known before the changes are sent. */
export interface Known {
  readonly present: Present;
  /** Null where nothing is foreseen, or where it could not be. */
  readonly foresight: Foresight | null;
  /** The selection of the answer. */
  readonly select: SelectionTree | undefined;
}

export function stepsOf<Row>(
  spec: Change<Row>,
  changes: readonly ResolvedChange[],
  { present, foresight, select }: Known,
): readonly PlanStep[] {
  const { operation } = spec;
  return changes.map((change, index): PlanStep => {
    const { records, variables } = describe(spec, change, present);
    const idempotent = spec.idempotent?.(variables) ?? false;
    const effects = foresight?.effects[index];
    const told = effects ? foreseenAs(effects, records) : spec.foresee ? unforeseen(records) : about(records);
    return { line: null, source: null, ...told, requests: [{ operation, variables, idempotent, select }] };
  });
}

/** What a change does to each record, and what is sent for it. */
interface Described {
  readonly records: readonly PlannedChange[];
  readonly variables: Members;
}

function describe(spec: ChangeSpec, change: ResolvedChange, { records, names }: Present): Described {
  const { variables } = change;
  const { kind, action, wanted = (members) => members } = spec.subject;
  const members = wanted(givenMembers(spec, change));
  const ids = subjectIds(spec, change);
  if (!('idVariable' in kind)) {
    const name = names.get(ids[0] ?? '') ?? '';
    const changes = withNames(createdMembers(members), names);
    return { records: [{ kind: kind.noun, action, name, id: null, changes }], variables };
  }
  if (action === 'create') return { records: [planCreation(kind, members, { names }).record], variables };
  if (action === 'delete') {
    return { records: ids.map((id) => planDeletion(kind, id, records.get(id)).record), variables };
  }
  const compared = ids.map((id) => compareRecord(kind, id, members, records.get(id), names));
  const [only] = compared;
  const isUpdate = spec.input !== null && spec.operation === kind.update.operation && only !== undefined;
  return {
    records: compared.map(({ record }) => record),
    // Of a nested object and of custom fields, what the input does not say stays as it is.
    variables: isUpdate ? { ...variables, [kind.update.variable]: only.send } : variables,
  };
}

/** What the change says of its record. */
function givenMembers(spec: ChangeSpec, { variables }: ResolvedChange): Members {
  const input = spec.input ? variables[spec.input.variable] : variables;
  const subject = subjectOf(spec)?.name;
  return Object.fromEntries(Object.entries(isObject(input) ? input : {}).filter(([name]) => name !== subject));
}

/** The record that a change is about; several stand under a name for all of them. */
function about(records: readonly PlannedChange[]): Pick<PlanStep, 'record' | 'effects'> {
  const [first = nothing, ...others] = records;
  if (others.length === 0) return { record: first };
  const action = records.find((one) => one.action !== 'keep')?.action ?? 'keep';
  return {
    record: { ...first, action, name: records.map(({ name }) => name).join(', '), id: null, changes: [] },
    effects: records,
  };
}

/** A change that is foreseen is told by its effects. */
function foreseenAs(
  effects: readonly PlannedChange[],
  described: readonly PlannedChange[],
): Pick<PlanStep, 'record' | 'effects' | 'isAlwaysSent'> {
  if (effects.length > 0) return { ...about(effects), effects };
  return { record: { ...about(described).record, action: 'keep', changes: [] }, effects, isAlwaysSent: true };
}

/** Nobody knows which assignments end by a change whose effects could not be read. */
function unforeseen(records: readonly PlannedChange[]): Pick<PlanStep, 'record'> {
  return { record: { ...about(records).record, isEnding: true } };
}

const nothing: PlannedChange = { kind: '', action: 'update', name: '', id: null, changes: [] };
