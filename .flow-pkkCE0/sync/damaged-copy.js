import { SyncTargetError } from "fleet-telematics/kit";
function damagedCopy(table, what, hint) {
  return new SyncTargetError(
    "FAILED",
    `The table ${table} of the copy is damaged: ${what}. What was written before is complete.`,
    hint
  );
}
export {
  damagedCopy
};
