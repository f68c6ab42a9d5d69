// @ts-check
// The types of a scenario: its input and its result.

/**
 * @typedef {object} Bar one figure that has to be reached
 * @property {string} what
 * @property {string} bar
 * @property {string} reached
 * @property {boolean} met
 * @property {string} [others] the same figure of others in the same run
 */
/**
 * @typedef {object} Scenario
 * @property {string} title
 * @property {(report: import('./report.mjs').Report) => Promise<Bar[]>} run prints its tables into the report
 */

/** Who the reference service lets in. */
export const demo = { username: 'demo', password: 'demo' };
