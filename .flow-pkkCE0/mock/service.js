import { Tokens } from "./auth/tokens.js";
import {
  Answers
} from "./control/answers.js";
import { createControl } from "./control/endpoints.js";
import { Faults } from "./control/faults.js";
import { Journal } from "./control/journal.js";
import { createClock } from "./core/clock.js";
import { Waits } from "./core/real-time.js";
import { Shared } from "./core/shared.js";
import { contractOf } from "./graphql/contract-of.js";
import { ActiveRequests } from "./http/active-requests.js";
import { createFetch } from "./http/fetch.js";
import { Handler } from "./http/handler.js";
import { createPlainFetch } from "./http/plain-fetch.js";
import { listen } from "./http/server.js";
import { resolveOptions } from "./options.js";
import { Scripts, withScripts } from "./script/scripts.js";
import { restoreSnapshot, takeSnapshot } from "./service-snapshot.js";
import { Store } from "./store/store.js";
import { telemetryVehicleOf } from "./store/telemetry-vehicle.js";
import { createTelemetry, regions } from "./telemetry/telemetry.js";
import { withRowVariants } from "./variants/rows.js";
import { VariantSetting } from "./variants/variant.js";
import { buildFleet } from "./world/fleet.js";
import { createLogins, demoFleet } from "./world/users.js";
const maxVehiclesOfOtherFleets = 8;
function positionOf(row) {
  return row?.gps?.state === true ? row.gps : null;
}
const telemetries = new Shared(4);
function createMockService(options = {}) {
  const resolved = resolveOptions(options);
  const { seed, vehicles, latencyMs, users: accounts, clock: source, strict, timestamps } = resolved;
  const variant = new VariantSetting(resolved.variant);
  const logins = createLogins(seed, accounts);
  const users = logins.flatMap((login) => login.users);
  const clock = createClock(source);
  const generated = telemetries.get(String(seed), () => createTelemetry(seed));
  const tokens = new Tokens(clock, variant);
  const delays = new Waits();
  const lingering = new Waits();
  const faults = new Faults(() => delays.endAll("shortened"));
  const journal = new Journal();
  const store = new Store({
    seed,
    fleets: new Map(users.map((user) => [user.fleetId, user.fleetName])),
    build: (fleetId, name) => buildFleet({
      seed,
      fleetId,
      vehicles: name === demoFleet ? vehicles : Math.min(vehicles, maxVehiclesOfOtherFleets),
      users: users.filter((user) => user.fleetId === fleetId),
      cities: regions,
      positionAt: (vehicle, time) => positionOf(generated.latest(telemetryVehicleOf(vehicle), time))
    })
  });
  const active = new ActiveRequests();
  const answers = new Answers();
  const scripts = new Scripts(store);
  const telemetry = withRowVariants(withScripts(generated, scripts, clock), variant, clock);
  const reset = () => {
    store.reset();
    active.reset();
    delays.endAll("broken off");
    lingering.endAll("broken off");
    scripts.clear();
    answers.clear();
    tokens.reset();
    faults.clear();
    journal.clear();
    clock.reset();
    variant.reset();
  };
  const parts = { store, scripts, answers, variant };
  const snapshot = () => takeSnapshot(parts);
  const restore = (data) => restoreSnapshot(parts, data);
  let contract = null;
  const { handle } = new Handler({
    clock,
    store,
    telemetry,
    tokens,
    logins,
    active,
    faults,
    answers,
    scripts,
    journal,
    graphql() {
      const { current } = variant;
      if (contract?.variant !== current)
        contract = { variant: current, contract: contractOf(timestamps, current, strict) };
      return contract.contract;
    },
    variant,
    basePath: resolved.basePath,
    latencyMs,
    strict,
    stopwatch: () => performance.now(),
    delays,
    lingering,
    control: createControl({ clock, faults, answers, scripts, journal, variant, reset, snapshot, restore })
  });
  return {
    fetch: createFetch(handle),
    plainFetch: createPlainFetch(handle),
    listen: (listenOptions) => listen(handle, () => variant.current.idleConnectionMs, listenOptions),
    clock,
    telemetry: {
      script: (vehicleId, script) => scripts.script(vehicleId, script),
      clear: (vehicleId) => scripts.clear(vehicleId),
      list: () => scripts.list()
    },
    answer: (operation, answer, answerOptions) => answers.add(operation, answer, answerOptions),
    get answers() {
      return answers.list();
    },
    clearAnswers: (id) => answers.clear(id),
    faults,
    get requests() {
      return journal.list();
    },
    get variant() {
      return variant.current;
    },
    setVariant: (value) => variant.set(value),
    clearRequests: () => journal.clear(),
    reset,
    snapshot,
    restore
  };
}
export {
  createMockService
};
