// What hangs on a record that is deleted, in words, by what the record has and by what refers to it.
import type { Named } from '../journal/entry.js';
import type { PlannedChange } from './record-change.js';

/** `3 vehicles`, `drives Van 03`. `now`: the time of the service. */
export function attachedTexts(
  { changes, dependents: { rules = [], groups = [], assignments = [] } = {} }: PlannedChange,
  now: number,
): readonly string[] {
  const had = (field: string) => changes.find((change) => change.field === field)?.before;
  const countOf = (field: string) => {
    const list = had(field);
    return Array.isArray(list) ? list.length : 0;
  };
  const isRunning = ({ startedAt }: (typeof assignments)[number]) => Date.parse(startedAt) <= now;
  const running = assignments.filter(isRunning);
  const holder = had('holder');
  return [
    ...counted(countOf('vehicleIds'), 'vehicle', 'vehicles'),
    ...counted(groups.length, 'group below it', 'groups below it'),
    ...used(rules),
    ...running.map(({ vehicle }) => `drives ${vehicle}`),
    ...counted(assignments.length - running.length, 'planned assignment', 'planned assignments'),
    ...counted(countOf('driverTokens'), 'token', 'tokens'),
    ...(had('isUser') === true ? ['is a user of the service'] : []),
    ...(typeof holder === 'string' && holder !== '' ? [`identifies ${holder}`] : []),
  ];
}

function used(rules: readonly Named[]): readonly string[] {
  const names = rules.map(({ name }) => `"${name}"`).join(', ');
  return rules.length === 0 ? [] : [`${rules.length === 1 ? 'rule' : 'rules'} ${names}`];
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
