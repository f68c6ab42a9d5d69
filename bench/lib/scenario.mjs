// @ts-check
// The types of a scenario: its input and its result.

/**
 * @typedef {object} Bar a target figure
 * @property {string} what
 * @property {string} bar
 * @property {string} reached
 * @property {boolean} met
 * @property {string} [others] the figure of other clients in the same run
 */
/**
 * @typedef {object} Scenario
 * @property {string} title
 * @property {(report: import('./report.mjs').Report) => Promise<Bar[]>} run prints its tables into
 * the report
 */

/** The login of the reference service. */
export const demo = { username: 'demo', password: 'demo' };
