// Reads GraphiQL's menu from operations/: each operation with its fragments and example variables.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse, print, visit } from 'graphql';

/** Undefined names in the examples; the page replaces them with ids and times. */
const placeholders = [
  ...['vehicleId', 'deviceId', 'driverId', 'personId', 'tokenId', 'geofenceId', 'groupId', 'otherGroupId', 'roleId'],
  ...['ruleId', 'scheduleId', 'from', 'to'],
];

/** @param {string} folder the folder operations/ */
export function readExamples(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  const texts = files.map((file) => ({ title: titleOf(file), text: readFileSync(join(folder, file), 'utf8') }));
  const documents = texts.map(({ title, text }) => ({ title, text, document: parse(text) }));
  const fragments = new Map(
    documents.flatMap(({ document }) =>
      document.definitions.flatMap((node) => (node.kind === 'FragmentDefinition' ? [[node.name.value, node]] : [])),
    ),
  );
  return documents.map(({ title, text, document }) => ({
    title,
    examples: document.definitions.flatMap((node) => {
      if (node.kind !== 'OperationDefinition' || node.name === undefined) return [];
      const name = node.name.value;
      const nodes = [node, ...fragmentsOf(node, fragments)];
      return [
        { name, document: nodes.map(print).join('\n\n'), variables: variablesOf(text, node.loc?.start ?? 0, name) },
      ];
    }),
  }));
}

/** Returns the title of a file: `driver-tokens.graphql` becomes `Driver tokens`. */
function titleOf(/** @type {string} */ file) {
  const words = basename(file, '.graphql').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns the fragments that a node spreads, directly or indirectly.
 * @param {import('graphql').ASTNode} node
 * @param {ReadonlyMap<string, import('graphql').FragmentDefinitionNode>} all
 * @returns {import('graphql').FragmentDefinitionNode[]}
 */
function fragmentsOf(node, all) {
  /** @type {Set<import('graphql').FragmentDefinitionNode>} */
  const found = new Set();
  const add = (/** @type {import('graphql').ASTNode} */ from) =>
    visit(from, {
      FragmentSpread({ name }) {
        const fragment = all.get(name.value);
        if (fragment === undefined || found.has(fragment)) return;
        found.add(fragment);
        add(fragment);
      },
    });
  add(node);
  return [...found];
}

/**
 * Returns the argument of the call in the comment above an operation.
 * @param {string} text
 * @param {number} start
 * @param {string} name
 */
function variablesOf(text, start, name) {
  const lines = text.slice(0, start).trimEnd().split('\n');
  const first = lines.findLastIndex((line) => !line.startsWith('#')) + 1;
  const code = lines.slice(first).map((line) => line.replace(/^# ?/, ''));
  const call = code.findIndex((line) => line.includes(`fleet.${name}(`));
  if (call < 0) throw new Error(`operations/ has no example of ${name} above it.`);
  /** @type {unknown} */
  let variables = {};
  const fleet = { [name]: (/** @type {unknown} */ argument = {}) => (variables = argument) };
  const values = Object.fromEntries(placeholders.map((word) => [word, `{${word}}`]));
  // The lines up to the call, which may define a value for it. Later lines show the answer.
  const lineOfCall = code[call]?.replace(/^.*?await /, '') ?? '';
  try {
    runInNewContext([...code.slice(0, call), lineOfCall].join('\n'), { ...values, fleet });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The example above ${name} in operations/ does not run: ${problem}. It may use these names, or define its own: ${placeholders.join(', ')}.`,
    );
  }
  return variables;
}
