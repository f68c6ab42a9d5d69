// The possible columns of a table: the id and every input member, with dots for nested ones.
import { closestNames } from '../../../core/suggestions.js';
import { normalizeName } from '../../output/headings.js';
import type { View } from '../../output/view.js';
import { type Member, membersOf } from '../../records/input-members.js';

export interface Printed {
  readonly type: string;
  readonly views: readonly Pick<View<never>, 'fields' | 'computed' | 'added'>[];
}

export interface InputColumn {
  readonly name: string;
  /** In the contract's notation, such as `[UUID!]`. */
  readonly type: string;
  /** The path of the value in the input; default: the name split at dots. */
  readonly path?: readonly string[];
  /** The unit of a number, which a header may contain: `radius (m)`. */
  readonly unit?: string;
}

export interface TableColumns {
  /** Columns of ids, and of names next to them. */
  readonly references: readonly {
    readonly name: string;
    readonly label?: string | undefined;
    readonly into: 'variables' | 'input';
  }[];
  /** The type of the input; null when the operation takes none. */
  readonly input: { readonly type: string } | null;
  readonly more?: readonly InputColumn[];
  /** The columns that are allowed although they are no inputs. */
  readonly printed: Printed;
  /** Input members by other names, such as those in answers: `startedAt` for `startTimestamp`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The member with arbitrary names, in columns such as `customFields.Cost centre`. */
  readonly open?: string;
}

type Spec = Omit<TableColumns, 'printed'>;

function columnsOf(spec: Spec): readonly InputColumn[] {
  const references = spec.references
    .filter(({ into }) => into === 'variables')
    .map(({ name }): InputColumn => ({ name, type: 'UUID' }));
  // Names are read like ids, as texts.
  const labels = spec.references.flatMap(({ label }) => (label ? { name: label, type: 'UUID' } : []));
  return [
    ...references,
    ...labels,
    ...(spec.input ? membersOf(spec.input.type).flatMap((member) => columnsOfMember(member)) : []),
    ...(spec.more ?? []),
  ];
}

/** Returns the columns of a member and its nested members. A nested object may also be JSON. */
function columnsOfMember({ name, type }: Member): readonly InputColumn[] {
  const members = type.startsWith('[') ? [] : membersOf(type.replace('!', ''));
  const nested = members.flatMap((member) => columnsOfMember(member));
  return [{ name, type }, ...nested.map((column) => ({ ...column, name: `${name}.${column.name}` }))];
}

/** Finds columns by header: a name, another spelling of it (`First name`) or another name. */
export class Headers {
  readonly #columns: readonly InputColumn[];
  readonly #otherNames: readonly string[];
  readonly #bySpelling: ReadonlyMap<string, InputColumn>;
  readonly open: string | undefined;

  constructor(spec: Spec) {
    this.#columns = columnsOf(spec);
    this.open = spec.open;
    this.#otherNames = Object.keys(spec.columns ?? {});
    const named = new Map(this.#columns.map((column) => [column.name, column]));
    const others = Object.entries(spec.columns ?? {}).flatMap(([other, name]) => {
      const column = named.get(name);
      return column ? [[normalizeName(other), column] as const] : [];
    });
    this.#bySpelling = new Map([
      ...others,
      ...this.#columns.map((column) => [normalizeName(column.name), column] as const),
    ]);
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  find(header: string): InputColumn | undefined {
    const named = this.#columns.find(({ name }) => name === header) ?? this.#bySpelling.get(normalizeName(header));
    return named ?? this.#openColumn(header);
  }

  #openColumn(header: string): InputColumn | undefined {
    const dot = header.indexOf('.');
    const name = header.slice(dot + 1).trim();
    const { open } = this;
    if (open === undefined || dot < 0 || normalizeName(header.slice(0, dot)) !== normalizeName(open) || name === '') {
      return undefined;
    }
    return { name: `${open}.${name}`, type: 'String', path: [open, name] };
  }

  /** Returns the most similar column for an unknown header that the table does not have yet. */
  suggest(title: string, usedNames: ReadonlySet<string>): string | undefined {
    const header = title.replace(/ *\([^()]*\)$/, '');
    const named = header === title ? undefined : this.find(header);
    if (named?.unit) return `${named.name} (${named.unit})`;
    const [closest] = closestNames(header, [...this.names, ...this.#otherNames]);
    return closest ?? this.names.find((name) => !usedNames.has(name) && hasWords(name, header));
  }
}

function hasWords(name: string, header: string): boolean {
  const words = wordsOf(header);
  return words.trim().length >= 3 && wordsOf(name).includes(words);
}

/** Returns the words of a name in lower case, with spaces around: ` start timestamp `. */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return ` ${words
    .split(/[^a-z0-9]+/)
    .join(' ')
    .trim()} `;
}
