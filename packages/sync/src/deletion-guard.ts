// Decides when rows missing from an answer count as deleted. A faulty answer must not empty a copy.

/** A larger share that is missing at once is probably a wrong answer, even of a short list. */
const MOST_DELETED_PERCENT = 30;

/** Returns why missing rows stay, as the end of a sentence; null when they count as deleted. */
export function reasonNotToDelete(
  missing: number,
  live: number,
  gap: string | null,
  allowsDeletions: boolean,
): string | null {
  const nothingMarked = 'None of them was marked as deleted.';
  if (gap !== null) return `are not in the answer of the service, which is not whole. ${gap} ${nothingMarked}`;
  if (allowsDeletions || missing * 100 <= live * MOST_DELETED_PERCENT) return null;
  return `are not in the answer of the service: more than ${MOST_DELETED_PERCENT} % at once. ${nothingMarked} If they are really gone, allow it: \`allowDeletions: true\`, or --allow-deletions.`;
}
