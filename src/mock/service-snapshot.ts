// A snapshot of the service. All parts are checked before any changes.
import type { Answers, PlannedAnswer } from './control/answers.js';
import { isJsonObject } from './core/json-object.js';
import type { Scripts, ScriptsData } from './script/scripts.js';
import type { StoreSnapshot } from './store/snapshot.js';
import type { Store } from './store/store.js';
import { type MockVariant, mockVariant, type VariantSetting } from './variants/variant.js';

/** The records, scripts, planned answers and variant of the service as plain data. */
export interface ServiceSnapshot extends StoreSnapshot {
  /** The scripts of vehicles. Restoring a snapshot without them removes all scripts. */
  readonly scripts?: ScriptsData;
  /** The planned answers. Restoring a snapshot without them removes all planned answers. */
  readonly answers?: readonly PlannedAnswer[];
  /** The service's variant. Restoring a snapshot without it leaves the variant unchanged. */
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

/** Throws a TypeError that names the wrong place; nothing changes then. */
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
