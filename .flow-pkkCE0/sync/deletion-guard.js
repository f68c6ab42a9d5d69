const MOST_DELETED_PERCENT = 30;
function doubtOf(missing, live, gap, allowsDeletions) {
  const kept = "None of them was marked as deleted.";
  if (gap !== null) return `are not in the answer of the service, which is not whole. ${gap} ${kept}`;
  if (allowsDeletions || missing * 100 <= live * MOST_DELETED_PERCENT) return null;
  return `are not in the answer of the service: more than ${MOST_DELETED_PERCENT} % at once. ${kept} If they are really gone, allow it: \`allowDeletions: true\`, or --allow-deletions.`;
}
export {
  doubtOf
};
