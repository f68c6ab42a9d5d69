import { createHash } from "node:crypto";
import { SyncTargetError } from "fleet-telematics/kit";
const ORIGIN = "origin";
async function checkOrigin(fleet, {
  target,
  name,
  write
}, { adopt, signal }) {
  const own = originOf(await fleet.identity({ signal }));
  const state = await target.read("sync_state", ["name", "value"]);
  const known = state.find(([key]) => key === ORIGIN)?.[1] ?? null;
  if (known === own) return false;
  if (known !== null && !adopt) throw refused(name, String(known).split(" ")[0] === own.split(" ")[0]);
  await write?.({ steps: [{ kind: "upsert", table: "sync_state", rows: [[ORIGIN, own]] }], cursors: [] });
  return known !== null;
}
function originOf({ baseUrl, user }) {
  return `${fingerprint(baseUrl)} ${fingerprint(baseUrl, user)}`;
}
function fingerprint(...parts) {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}
function refused(name, isSameService) {
  const of = isSameService ? "another user of this service" : "another service, or of this one at another address";
  return new SyncTargetError(
    "OTHER_ORIGIN",
    `${name} is a copy of the fleet of ${of}. This sync would mark what is not in the present fleet as deleted. Nothing was changed.`,
    "Name another target, or select the user and the service of the copy. If the change is meant, set `adopt: true`."
  );
}
export {
  ORIGIN,
  checkOrigin,
  originOf
};
