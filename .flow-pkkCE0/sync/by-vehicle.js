import { FleetError, ProtocolError } from "fleet-telematics";
import { readWhole } from "./parts.js";
const CALLS_AT_ONCE = 100;
async function readByVehicle({ part, vehicleIds, teller, signal }, read) {
  const answers = /* @__PURE__ */ new Map();
  let records = 0;
  const readOne = async (vehicleId) => {
    try {
      const answer = await readWhole((own) => read(vehicleId, own), { priority: "low", signal });
      answers.set(vehicleId, answer);
      records += answer.records.length;
      if (answer.gap !== null) teller.failed(part, vehicleId, new ProtocolError(answer.gap));
    } catch (error) {
      if (!isOfPart(error)) throw error;
      teller.failed(part, vehicleId, error);
    }
  };
  await inGroups(vehicleIds, async (some, done) => {
    await Promise.all(some.map(readOne));
    teller.progress(part, records, done / vehicleIds.length);
  });
  return answers;
}
async function inGroups(items, work) {
  for (let at = 0; at < items.length; at += CALLS_AT_ONCE) {
    const some = items.slice(at, at + CALLS_AT_ONCE);
    await work(some, at + some.length);
  }
}
function isOfPart(error) {
  return FleetError.is(error) && ["GRAPHQL", "PROTOCOL", "RESPONSE_TOO_LARGE"].includes(error.code);
}
export {
  inGroups,
  isOfPart,
  readByVehicle
};
