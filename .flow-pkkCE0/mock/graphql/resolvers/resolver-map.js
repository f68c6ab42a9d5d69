import * as drivers from "./drivers.js";
import * as geofences from "./geofences.js";
import * as groups from "./groups.js";
import * as people from "./people.js";
import * as reports from "./reports.js";
import * as snapshots from "./snapshots.js";
import * as vehicles from "./vehicles.js";
const rootResolvers = {
  ...drivers.rootResolvers,
  ...geofences.rootResolvers,
  ...groups.rootResolvers,
  ...people.rootResolvers,
  ...reports.rootResolvers,
  ...snapshots.rootResolvers,
  ...vehicles.rootResolvers
};
const typeResolvers = {
  ...geofences.typeResolvers,
  ...groups.typeResolvers,
  ...people.typeResolvers,
  ...vehicles.typeResolvers
};
export {
  rootResolvers,
  typeResolvers
};
