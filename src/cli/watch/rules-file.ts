// Reads the rules of --rules, in YAML or JSON (a subset of YAML). Reports each error with its line.
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { didYouMean } from '../../core/suggestions.js';
import { InvalidRuleError, readKind } from '../../telemetry/events/event-rule.js';
import { CliError } from '../errors/cli-error.js';
import { firstOf } from '../errors/unusable.js';
import {
  type AlertRule,
  completeAlertRule,
  type RuleInput,
  type RuleVehicles,
  readBattery,
  readResolved,
  readRuleDuration,
  readSpeedLimit,
  readWeekdays,
} from './alert-rule.js';

const members = [
  'name',
  'on',
  'for',
  'speedLimit',
  'batteryBelow',
  'resolved',
  'between',
  'days',
  'schedule',
  'outsideSchedule',
  'geofence',
  'group',
  'label',
  'vehicleFilter',
] as const;
type Member = (typeof members)[number];

/** Returns the rules of a file. Throws CliError USAGE that lists every error with its line. */
export function parseRules(text: string, file: string): readonly AlertRule[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const reader = new RulesReader(lines);
  const [flaw] = document.errors;
  if (flaw) {
    // The text is not quoted, because messages must not contain values.
    const at = lines.linePos(flaw.pos[0]);
    reader.problems.push(`line ${at.line}, column ${at.col}: it is not valid YAML or JSON from here on.`);
  }
  const rules = flaw ? [] : reader.rules(document.contents);
  if (reader.problems.length === 0) return rules;
  throw new CliError('USAGE', `The rules in ${file} cannot be used.`, {
    undone: 'sent',
    details: firstOf(reader.problems),
    hint: 'docs/alerts.md shows a file of rules.',
  });
}

class RulesReader {
  readonly problems: string[] = [];
  readonly #lines: LineCounter;
  readonly #names = new Map<string, number>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  rules(root: unknown): readonly AlertRule[] {
    const list = this.#listIn(root);
    if (list === null) return [];
    if (!isSeq(list) || list.items.length === 0) {
      this.#refuse(list, 'rules must be a list that is not empty; each rule begins with "- on: …".');
      return [];
    }
    return list.items.flatMap((item) => this.#rule(item) ?? []);
  }

  #listIn(root: unknown): unknown {
    if (!isMap(root)) {
      if (isSeq(root)) return root;
      this.#refuse(root, 'the file must have a list of rules: "rules:", and below it "- on: …" for each.');
      return null;
    }
    for (const { key } of root.items) {
      const name = textIn(key);
      if (name !== 'rules') this.#refuse(key, `the key ${quoted(name)} is not allowed here, only "rules".`);
    }
    const list = root.get('rules', true);
    if (list === undefined) this.#refuse(root, 'rules are missing.');
    return list ?? null;
  }

  #rule(item: unknown): AlertRule | null {
    if (!isMap(item)) {
      this.#refuse(item, 'a rule is a map, such as "on: speeding".');
      return null;
    }
    const before = this.problems.length;
    const ruleMembers: Partial<Record<Member, unknown>> = {};
    for (const pair of item.items) {
      const name = textIn(pair.key);
      const member = members.find((one) => one === name);
      if (member === undefined) {
        const hint = didYouMean(name ?? '', members) ?? `A rule has ${members.join(', ')}.`;
        this.#refuse(pair.key, `a rule has no key ${quoted(name)}. ${hint}`);
        continue;
      }
      ruleMembers[member] = this.#value(member, pair);
    }
    if (!item.has('on')) this.#refuse(item, 'the rule has no "on".');
    if (this.problems.length > before) return null;
    return this.#complete(item, ruleMembers);
  }

  #complete(item: YAMLMap, ruleMembers: Partial<Record<Member, unknown>>): AlertRule | null {
    const { group, label, vehicleFilter } = ruleMembers;
    const scope = { group, label, vehicleFilter };
    const named = Object.entries(scope).filter(([, names]) => names !== undefined);
    try {
      // Each member was read by its own function, so the cast is safe.
      const rule = completeAlertRule({
        name: ruleMembers.name,
        on: ruleMembers.on,
        forMs: ruleMembers.for,
        speedLimitKmh: ruleMembers.speedLimit,
        batteryBelow: ruleMembers.batteryBelow,
        resolved: ruleMembers.resolved,
        between: ruleMembers.between,
        days: ruleMembers.days,
        schedule: ruleMembers.schedule,
        outsideSchedule: ruleMembers.outsideSchedule,
        geofences: ruleMembers.geofence,
        vehicles: named.length === 0 ? undefined : (Object.fromEntries(named) as RuleVehicles),
      } as RuleInput);
      this.#claimName(item, rule.name);
      return rule;
    } catch (error) {
      if (!(error instanceof InvalidRuleError)) throw error;
      this.#refuse(item, error.message);
      return null;
    }
  }

  #claimName(item: YAMLMap, name: string): void {
    const line = this.#lineOf(item);
    const before = this.#names.get(name);
    this.#names.set(name, before ?? line);
    if (before === undefined) return;
    this.#refuse(item, `the rule of line ${before} is called ${quoted(name)} too. Give one of them another name.`);
  }

  #value(member: Member, { key, value }: Pair): unknown {
    try {
      return memberOf(member, value);
    } catch (error) {
      if (!(error instanceof InvalidRuleError)) throw error;
      this.#refuse(value ?? key, `${member}: ${error.message}`);
      return undefined;
    }
  }

  #refuse(at: unknown, problem: string): void {
    this.problems.push(`line ${this.#lineOf(at)}: ${problem}`);
  }

  #lineOf(at: unknown): number {
    const range = typeof at === 'object' && at !== null ? (at as Partial<Node>).range : undefined;
    return range ? this.#lines.linePos(range[0]).line : 1;
  }
}

function memberOf(member: Member, node: unknown): unknown {
  switch (member) {
    case 'name':
    case 'between':
    case 'schedule':
    case 'outsideSchedule':
      return requireText(node);
    case 'days':
      return readWeekdays((isSeq(node) ? node.items.map(requireText) : [requireText(node)]).join(','));
    case 'on':
      return readKind(requireText(node));
    case 'for':
      return readRuleDuration(requireText(node));
    case 'speedLimit':
      return readSpeedLimit(plain(node));
    case 'batteryBelow':
      return readBattery(plain(node));
    case 'resolved':
      return readResolved(plain(node));
    default:
      return isSeq(node) && node.items.length > 0 ? node.items.map(requireText) : [requireText(node)];
  }
}

function requireText(node: unknown): string {
  const text = textIn(node)?.trim();
  if (text) return text;
  throw new InvalidRuleError('it must be a text.');
}

function textIn(node: unknown): string | null {
  const value = plain(node);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function plain(node: unknown): unknown {
  return isScalar(node) ? node.value : node;
}

function quoted(name: string | null): string {
  return name === null ? 'this' : JSON.stringify(name);
}
