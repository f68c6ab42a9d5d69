import { acquireFreeLease, leaseHolder, SyncTargetError } from "fleet-telematics/kit";
async function takeSyncLock(path, name, another) {
  const holder = leaseHolder(path);
  const lease = await acquireFreeLease(path);
  if (lease !== null) return lease;
  const who = holder?.isHere === true && holder.pid !== null ? ` (process ${holder.pid})` : "";
  throw new SyncTargetError(
    "IN_USE",
    `Another sync${who} is writing to ${name}. This one has changed nothing.`,
    `Wait until it has ended, or write to ${another}.`
  );
}
export {
  takeSyncLock
};
