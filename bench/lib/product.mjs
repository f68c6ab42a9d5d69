// @ts-check
// Finds the built package in dist/, and builds it first if it is out of date.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** @param {string} path relative to the product's root */
export const productFile = (path) => fileURLToPath(new URL(path, root));

export function buildProduct() {
  execFileSync(process.execPath, [productFile('scripts/build.mjs')], { stdio: 'inherit' });
}

/** @returns {Promise<typeof import('../../dist/esm/mock/service.js')>} */
export const loadMock = () => import(new URL('dist/esm/mock/service.js', root).href);

/**
 * Loads the SDK by the package's `exports`, as an installed package.
 * @returns {Promise<typeof import('../../dist/esm/sdk/index.js')>}
 */
export const loadProduct = () => entryOf(root);

/**
 * Loads `fleet-telematics-sync`.
 * @returns {Promise<typeof import('../../packages/sync/dist/esm/sdk/index.js')>}
 */
export const loadSync = () => entryOf(new URL('packages/sync/', root));

/** Loads the main entry of the package in this folder. @param {URL} folder */
function entryOf(folder) {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  return import(new URL(exports['.'].default, folder).href);
}

/**
 * Returns an operation's document as the SDK sends it.
 * @param {import('../../dist/esm/sdk/index.js').OperationName} name
 * @returns {Promise<string>}
 */
export async function documentOf(name) {
  /** @type {typeof import('../../dist/esm/kit/kit.js')} */
  const { operations } = await import(new URL('dist/esm/kit/kit.js', root).href);
  return operations[name].document;
}
