// How fleet-telematics/otel finds the inside of a client.
import type { ClientTracer } from './hooks.js';

/**
 * The name of the client's method that takes a tracer. A program may load this package twice, as ES modules and as CommonJS, so copies of it
 * find each other's clients by this name.
 */
export const FOLLOW = Symbol.for('fleet-telematics.follow');

/** Returns what ends it; null when there is a tracer already. */
export type Follow = (tracer: ClientTracer) => (() => void) | null;
