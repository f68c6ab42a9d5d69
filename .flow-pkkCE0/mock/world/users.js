import { uuidFromName } from "../core/uuid.js";
import { groupIdOf } from "./groups.js";
const demoFleet = "Demo Fleet";
const defaultUsers = [
  { username: "demo", password: "demo", entries: [{ fleet: demoFleet }] },
  {
    username: "multi",
    password: "multi",
    entries: [{ fleet: "North Fleet" }, { fleet: "South Fleet" }, { fleet: "West Fleet" }]
  },
  { username: "limited", password: "limited", entries: [{ fleet: demoFleet, group: "Deliveries" }] }
];
const fleetIdOf = (seed, fleet) => uuidFromName(`${seed}/fleet/${fleet}`);
function createLogins(seed, users) {
  return users.map((user) => ({
    username: user.username,
    password: user.password,
    users: user.entries.map((entry, index) => {
      const fleetId = fleetIdOf(seed, entry.fleet);
      return {
        userId: uuidFromName(`${seed}/user/${user.username}/${index}/${entry.fleet}`),
        userName: entry.userName ?? user.username,
        fleetId,
        fleetName: entry.fleet,
        groupId: entry.group === void 0 ? null : groupIdOf(seed, fleetId, entry.group)
      };
    })
  }));
}
export {
  createLogins,
  defaultUsers,
  demoFleet
};
