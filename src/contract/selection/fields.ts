// The fields of the contract's record types at run time, without the graphql package. Selections
// are checked against them. Types are parsed on first use.
import { fieldMap } from '../../generated/field-map.js';

export interface ContractField {
  readonly type: string;
  readonly list: boolean;
  /** True for a plain value, without a selection below it. */
  readonly leaf: boolean;
}

const fieldCache = new Map<string, ReadonlyMap<string, ContractField>>();

/** Returns the fields of a record type in the order of the contract; empty for other types. */
export function contractFields(type: string): ReadonlyMap<string, ContractField> {
  const cached = fieldCache.get(type);
  if (cached) return cached;
  const fields = new Map((textOf(type)?.split(' ') ?? []).map(readField));
  fieldCache.set(type, fields);
  return fields;
}

/**
 * Returns the paths to fields of this name below a record type, shortest first:
 * `lastData.gps.speed` for `speed` of a Vehicle. Each type is searched once, up to a depth that
 * people would still type.
 */
export function pathsTo(name: string, type: string): readonly string[] {
  const paths: string[] = [];
  const seen = new Set([type]);
  let level: readonly { readonly path: string; readonly type: string }[] = [{ path: '', type }];
  for (let depth = 0; depth < DEEPEST && paths.length === 0; depth++) {
    for (const at of level) if (contractFields(at.type).has(name)) paths.push(`${at.path}${name}`);
    const below = level.flatMap((at) =>
      [...contractFields(at.type)].flatMap(([step, { type: next, leaf }]) =>
        leaf || seen.has(next) ? [] : { path: `${at.path}${step}.`, type: next },
      ),
    );
    for (const at of below) seen.add(at.type);
    level = below;
  }
  return paths;
}
const DEEPEST = 4;

function textOf(type: string): string | undefined {
  return Object.hasOwn(fieldMap, type) ? fieldMap[type] : undefined;
}

function readField(text: string): [name: string, field: ContractField] {
  const colon = text.indexOf(':');
  const written = text.slice(colon + 1);
  const list = written.startsWith('[');
  const type = list ? written.slice(1, -1) : written;
  return [text.slice(0, colon), { type, list, leaf: textOf(type) === undefined }];
}
