// Replaces the names of other records in the lines of a file by ids, or by records that it creates.

import { isSameJson, textsIn } from '../../core/json.js';
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { findEachIn, NamedRows } from '../find/choose-record.js';
import { looksLikeId } from '../parse/user-selector.js';
import { NewRecord } from '../records/new-record.js';
import { type EditableKind, type RecordKind, recordId, recordName } from '../records/record-kind.js';
import { mapAll } from './load-records.js';
import { lookUp, noSuchId, otherRecord } from './lookup.js';
import { type FileRecord, matchRecord } from './plan-file.js';
import { relatedNames } from './plan-record.js';

interface ResolvedReferences {
  readonly fileRecords: readonly FileRecord[];
  readonly names: ReadonlyMap<string, string>;
}

/** Reads the lists of all kinds in one request. @throws CliError USAGE that lists unclear names */
export async function resolveReferences<Row extends object>(
  context: Context,
  client: FleetClient,
  kind: Pick<EditableKind<Row>, 'noun' | 'relations'>,
  fileRecords: readonly FileRecord[],
  existing: readonly Row[],
): Promise<ResolvedReferences> {
  const names = new Map(existing.flatMap((row) => relatedNames(row, kind)));
  const found = new Map<string, string | NewRecord | CliError>();
  const created = new Map<FileRecord, NewRecord>();
  await Promise.all(
    Object.entries(kind.relations ?? {}).map(async ([member, relation]) => {
      const references = fileRecords.flatMap(({ members, labels }) => [
        ...textsIn(members[member]),
        ...textsIn(labels?.[member]),
      ]);
      const texts = [...new Set(references)];
      const other = relation.kind();
      if (other.noun === kind.noun) {
        for (const row of existing) names.set(recordId(row) ?? '', recordName(other, row) ?? '');
        // The known records are of this kind.
        const ids = idsOrNew(context, other as RecordKind<Row>, texts, fileRecords, existing, created);
        for (const [index, text] of texts.entries()) found.set(`${member} ${text}`, ids[index] ?? text);
        return;
      }
      // Related ids of known records exist. Assignments may have ids of drivers who are gone.
      const isKnown = (text: string) => looksLikeId(text) && (names.has(text) || relation.label !== undefined);
      if (texts.every(isKnown)) return;
      const { ids, records, isWhole } = await lookUp(context, client, other, texts, {});
      for (const [id, { name }] of records) names.set(id, name);
      for (const [index, text] of texts.entries()) {
        const isMissing = isWhole && looksLikeId(text) && !isKnown(text) && !records.has(text);
        found.set(`${member} ${text}`, isMissing ? noSuchId(other, text) : (ids[index] ?? text));
      }
    }),
  );
  const referring = mapAll(fileRecords, (one): FileRecord => {
    const relations = Object.entries(kind.relations ?? {});
    const replaced = relations.flatMap(([member, { label }]): readonly (readonly [string, unknown])[] => {
      const value = one.members[member];
      const ids = textsIn(value).map((text) => {
        const id = found.get(`${member} ${text}`) ?? text;
        if (!(id instanceof CliError)) return id;
        throw refusal(`${one.where}, ${label ?? member}: ${id.problem}`, { hint: id.hint });
      });
      const labelText = one.labels?.[member];
      const named = labelText === undefined ? ids[0] : (found.get(`${member} ${labelText}`) ?? labelText);
      // A record that is gone has no name.
      const isGone = named instanceof CliError && named.code === 'NOT_FOUND' && !names.has(String(ids[0]));
      const other = isGone ? undefined : otherRecord(ids[0], named, { name: member, label });
      if (other) throw refusal(`${one.where}: ${other.problem}`, { hint: other.hint });
      if (Array.isArray(value)) return [[member, ids]];
      return typeof value === 'string' && value !== '' ? [[member, ids[0]]] : [];
    });
    const members = { ...one.members, ...Object.fromEntries(replaced) };
    return { ...one, members, creates: created.get(one) };
  });
  return { fileRecords: referring, names };
}

/** Returns the ids of existing records, and placeholders for new records of the file. */
function idsOrNew<Row extends object>(
  context: Context,
  kind: RecordKind<Row>,
  texts: readonly string[],
  fileRecords: readonly FileRecord[],
  existing: readonly Row[],
  created: Map<FileRecord, NewRecord>,
): readonly (string | NewRecord | CliError)[] {
  const lines = new Map<object, FileRecord>(fileRecords.map((one) => [one.members, one]));
  const inFile = new NamedRows<object>(kind, [...lines.keys()]);
  const existingByName = new NamedRows<object>(kind, existing);
  const knownIds = new Set(existing.map(recordId));
  const byFileId = new Map(fileRecords.flatMap((one) => (one.id === null ? [] : [[one.id, one] as const])));
  return findEachIn(context, kind, existing, texts, false).map((id, index) => {
    const text = texts[index] ?? '';
    if (typeof id === 'string' && knownIds.has(id)) return id;
    const problem = id instanceof CliError ? id : noSuchId(kind, id);
    const [first, ...others] = problem.code === 'NOT_FOUND' ? inFile.matches(text) : [];
    // A file of another fleet has other ids.
    const line = byFileId.get(text) ?? (first && lines.get(first));
    if (line === undefined) {
      return refusal(problem.problem, {
        hint: `Give the id, the whole name, or the name of another ${kind.noun} in the file.`,
      });
    }
    if (line.members === first && !others.every((other) => isSameJson(other, first))) {
      return refusal(`The file has ${others.length + 1} ${kind.plural} "${text}".`, {
        hint: 'Give an id or another text that only one of them has.',
      });
    }
    const match = matchRecord(kind, line, existing, existingByName);
    if (match !== null && typeof match === 'object') return recordId(match.row) ?? text;
    const own = created.get(line) ?? new NewRecord(recordName(kind, line.members) ?? text);
    created.set(line, own);
    return own;
  });
}
