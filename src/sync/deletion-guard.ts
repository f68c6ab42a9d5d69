// Whether records that are missing from an answer are marked as deleted. A faulty answer must not empty a copy.

/** With more missing records than both of these, the answer is probably wrong. */
const MOST_DELETED = 10;
const MOST_DELETED_PERCENT = 30;

/** Why missing records are not marked as gone, as the end of a sentence; null when they are. */
export function doubtOf(missing: number, live: number, gap: string | null, allowsDeletions: boolean): string | null {
  const kept = 'None of them was marked as deleted.';
  if (gap !== null) return `are not in the answer of the service, which is not whole. ${gap} ${kept}`;
  if (allowsDeletions || missing <= MOST_DELETED || missing * 100 <= live * MOST_DELETED_PERCENT) return null;
  return `are not in the answer of the service: more than ${MOST_DELETED_PERCENT} % at once. ${kept} If they are really gone, allow it: \`allowDeletions: true\`, or --allow-deletions.`;
}
