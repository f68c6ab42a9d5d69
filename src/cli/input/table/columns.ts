// The columns that a table of records may have: the id, and every member of the input, nested ones with dots.
import { closestNames } from '../../../core/suggestions.js';
import { spellingOf } from '../../output/headings.js';
import type { View } from '../../output/view.js';
import { type Member, membersOf } from '../../records/input-members.js';

/** The columns that lists print of the records in a file. */
export interface Printed {
  /** The type of the record in the contract. */
  readonly type: string;
  readonly views: readonly Pick<View<never>, 'fields' | 'computed' | 'added'>[];
}

/** A column that a table may have. */
export interface InputColumn {
  /** `address.city` */
  readonly name: string;
  /** In the contract's notation, such as `[UUID!]`. */
  readonly type: string;
  /** Where its value stands in the input; default: the name at its dots. */
  readonly path?: readonly string[];
  /** That of a number in it, which a header may name too: `radius (m)`. */
  readonly unit?: string;
}

/** What the columns of a table are. */
export interface TableColumns {
  /** Columns of ids, and of the names that may stand beside them. */
  readonly references: readonly {
    readonly name: string;
    readonly label?: string | undefined;
    readonly into: 'variables' | 'input';
  }[];
  /** The type of the input; null when the operation takes none. */
  readonly input: { readonly type: string } | null;
  /** Columns beside the members of the input. */
  readonly more?: readonly InputColumn[];
  /** Columns that may be there although they are no inputs. */
  readonly printed: Printed;
  /** Other names that a table may have for members, such as those of the service's answers: `startedAt` for `startTimestamp`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The member whose own members may have any name, as columns such as `customFields.Cost centre`. */
  readonly open?: string;
}

type Spec = Omit<TableColumns, 'printed'>;

function columnsOf(spec: Spec): readonly InputColumn[] {
  const references = spec.references
    .filter(({ into }) => into === 'variables')
    .map(({ name }): InputColumn => ({ name, type: 'UUID' }));
  const labels = spec.references.flatMap(({ label }) => (label ? { name: label, type: 'UUID' } : []));
  return [
    ...references,
    ...labels,
    ...(spec.input ? membersOf(spec.input.type).flatMap((member) => below(member)) : []),
    ...(spec.more ?? []),
  ];
}

/** A nested object is a column of its own too, with JSON in its cells. */
function below({ name, type }: Member): readonly InputColumn[] {
  const members = type.startsWith('[') ? [] : membersOf(type.replace('!', ''));
  const nested = members.flatMap((member) => below(member));
  return [{ name, type }, ...nested.map((column) => ({ ...column, name: `${name}.${column.name}` }))];
}

/** Finds the column that a header names: its name, in other spellings too (`First name`), or another name of it. */
export class Headers {
  readonly #columns: readonly InputColumn[];
  readonly #otherNames: readonly string[];
  readonly #bySpelling: ReadonlyMap<string, InputColumn>;
  /** See `open` of TableColumns. */
  readonly open: string | undefined;

  constructor(spec: Spec) {
    this.#columns = columnsOf(spec);
    this.open = spec.open;
    this.#otherNames = Object.keys(spec.columns ?? {});
    const named = new Map(this.#columns.map((column) => [column.name, column]));
    const others = Object.entries(spec.columns ?? {}).flatMap(([other, name]) => {
      const column = named.get(name);
      return column ? [[spellingOf(other), column] as const] : [];
    });
    this.#bySpelling = new Map([
      ...others,
      ...this.#columns.map((column) => [spellingOf(column.name), column] as const),
    ]);
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  find(header: string): InputColumn | undefined {
    const named = this.#columns.find(({ name }) => name === header) ?? this.#bySpelling.get(spellingOf(header));
    return named ?? this.#openColumn(header);
  }

  #openColumn(header: string): InputColumn | undefined {
    const dot = header.indexOf('.');
    const name = header.slice(dot + 1).trim();
    const { open } = this;
    if (open === undefined || dot < 0 || spellingOf(header.slice(0, dot)) !== spellingOf(open) || name === '') {
      return undefined;
    }
    return { name: `${open}.${name}`, type: 'String', path: [open, name] };
  }

  /** The nearest column of a header that names none; one with the same words only when the table does not have it. */
  suggest(title: string, taken: ReadonlySet<string>): string | undefined {
    const header = title.replace(/ *\([^()]*\)$/, '');
    const named = header === title ? undefined : this.find(header);
    if (named?.unit) return `${named.name} (${named.unit})`;
    const [closest] = closestNames(header, [...this.names, ...this.#otherNames]);
    return closest ?? this.names.find((name) => !taken.has(name) && hasWords(name, header));
  }
}

/** Whether the words of the header stand in the name: `start` in `startTimestamp`. */
function hasWords(name: string, header: string): boolean {
  const words = wordsOf(header);
  return words.trim().length >= 3 && wordsOf(name).includes(words);
}

/** ` start timestamp ` */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return ` ${words
    .split(/[^a-z0-9]+/)
    .join(' ')
    .trim()} `;
}
