import { uuidFromName } from "../core/uuid.js";
function seededRecord({ seed, fleetId }, kind, name, createdAt) {
  const id = uuidFromName(`${seed}/${fleetId}/${kind}/${name}`);
  return { id, version: 1, createdAt, updatedAt: createdAt, fleetId };
}
export {
  seededRecord
};
