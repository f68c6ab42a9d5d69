import { metrics, trace } from "@opentelemetry/api";
import { isObject } from "../core/json.js";
import { checkOptions, demand, flag, hasFunctions } from "../core/option-checks.js";
import { refusedInput } from "../core/refused-input.js";
import { sdkVersion } from "../core/version.js";
import { HttpAttributes } from "./http-attributes.js";
import { Measurements } from "./measurements.js";
import { Spans } from "./spans.js";
import { observeClient } from "./traced-clients.js";
function traceFleet(fleet, options = {}) {
  if (!isClient(fleet)) {
    throw refusedInput("traceFleet needs a client that new FleetClient() has made, or forUser() or fork() of one.");
  }
  const { source } = fleet;
  checkTracing(options);
  if (source.isTraced) {
    throw refusedInput(
      "This client is traced already. Clients that forUser() and fork() make of it are traced with it: call traceFleet once, where the program makes the client."
    );
  }
  const { tracerProvider = trace, meterProvider = metrics, httpSpans = true, attributes = {} } = options;
  const common = { attributes, httpSpans, http: new HttpAttributes() };
  const spans = new Spans({ ...common, tracer: tracerProvider.getTracer(SCOPE, sdkVersion) });
  const measurements = new Measurements({ ...common, meter: meterProvider.getMeter(SCOPE, sdkVersion) });
  const end = observeClient(source, [spans, measurements]);
  return { end, [Symbol.dispose]: end };
}
const SCOPE = "fleet-telematics";
const checks = {
  tracerProvider: demand((value) => hasFunctions(value, ["getTracer"]), "an object with a function getTracer"),
  meterProvider: demand((value) => hasFunctions(value, ["getMeter"]), "an object with a function getMeter"),
  httpSpans: flag,
  attributes: demand(isObject, "an object of names and values")
};
function checkTracing(options) {
  if (!isObject(options)) {
    throw refusedInput(`traceFleet takes one object of options after the client: ${Object.keys(checks).join(", ")}.`);
  }
  checkOptions(options, checks, "traceFleet");
}
function isClient(value) {
  return isObject(value) && isObject(value.source) && typeof value.source.isTraced === "boolean";
}
export {
  traceFleet
};
