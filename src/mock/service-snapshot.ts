// A snapshot of the service: its records, and what a test has scripted. All parts are checked before one of them changes.
import type { Answers, PlannedAnswer } from './control/answers.js';
import { isJsonObject } from './core/json-object.js';
import type { Scripts, ScriptsData } from './script/scripts.js';
import type { StoreSnapshot } from './store/snapshot.js';
import type { Store } from './store/store.js';
import { type MockVariant, mockVariant, type VariantSetting } from './variants/variant.js';

/** The records of the service and what a test has scripted, as plain data. */
export interface ServiceSnapshot extends StoreSnapshot {
  /** The scripts of vehicles. Left out when restored: no vehicle is scripted. */
  readonly scripts?: ScriptsData;
  /** The planned answers. Left out when restored: none. */
  readonly answers?: readonly PlannedAnswer[];
  /** How the service differs from the tidy one. Left out when restored: it stays as it is. */
  readonly variant?: MockVariant;
}

export interface SnapshotParts {
  readonly store: Store;
  readonly scripts: Scripts;
  readonly answers: Answers;
  readonly variant: VariantSetting;
}

export function takeSnapshot({ store, scripts, answers, variant }: SnapshotParts): ServiceSnapshot {
  return { ...store.snapshot(), scripts: scripts.list(), answers: answers.list(), variant: { ...variant.current } };
}

/** Throws a TypeError that names the place that is wrong, and changes nothing then. */
export function restoreSnapshot(parts: SnapshotParts, value: unknown): void {
  if (!isJsonObject(value)) throw new TypeError('snapshot must be an object');
  const { scripts = {}, answers = [], variant } = value;
  const putScripts = parts.scripts.prepare(scripts, 'snapshot.scripts');
  const putAnswers = parts.answers.prepare(answers, 'snapshot.answers');
  const nextVariant = variant === undefined ? parts.variant.current : mockVariant(variant, 'snapshot.variant');
  parts.store.restore(value);
  putScripts();
  putAnswers();
  parts.variant.set(nextVariant);
}
