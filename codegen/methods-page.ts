// Writes docs/methods.md: every method of the SDK with its arguments, result, example and
// equivalent command. The example is the comment above the operation in operations/; the command is
// one whose help names the operation in parentheses.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type DocumentNode,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  parse,
} from 'graphql';
import { contractText } from '../src/generated/contract-text.js';
import { assumedPart } from './assumed.js';
import { anchorOf, cell, table } from './cli-docs/markdown.js';
import type { CommandPage } from './cli-docs/tree.js';
import { oneLine } from './documented.js';
import { plainResult } from './leaf-type.js';
import { readOperations, type SourceOperation } from './operations.js';
import { recordName } from './record-types.js';
import { recordNames, scalars } from './typescript-names.js';

/** The headings of the page, with their files of operations/. */
const themes: Readonly<Record<string, readonly string[]>> = {
  Vehicles: ['vehicles'],
  Devices: ['devices'],
  'Drivers and their assignments': ['driver-assignments', 'driver-tokens'],
  People: ['people'],
  Groups: ['groups'],
  Geofences: ['geofences'],
  'Labels, roles and sensors': ['labels', 'roles', 'meta-sensors'],
  'Rules and work schedules': ['rules', 'work-schedules'],
  Telemetry: ['snapshots'],
  Reports: ['reports'],
  Users: ['users'],
};
const mostCommands = 3;

interface Method extends SourceOperation {
  readonly theme: string;
  readonly example: string;
  /** Such as `fleet vehicles list`. */
  readonly commands: readonly string[];
}

export function methodsPage(root: string, program: CommandPage): string {
  const methods = readMethods(root, program);
  return `${[
    '# All methods',
    '<!-- Written by `npm run docs:cli` from schema.graphql, operations/ and the commands themselves. -->',
    `\`FleetClient\` has a method for each of the ${methods.length} queries and mutations of the service. ${intro}`,
    table(
      ['method', 'what it does', 'command'],
      methods.map(({ name, field, commands }) => [
        `[\`${name}\`](#${anchorOf(name)})${field.deprecationReason ? ' (deprecated)' : ''}`,
        cell(firstSentence(field.description)),
        commands.slice(0, 1).map(linked).join(''),
      ]),
    ),
    ...Object.keys(themes).flatMap((theme) => [
      `## ${theme}`,
      ...methods.filter((method) => method.theme === theme).flatMap(methodPart),
    ]),
    ...notQueries,
  ].join('\n\n')}\n`;
}

const intro = [
  'Beside them it has streams, watches and trips, and `request` for documents of your own: [Not queries](#not-queries).',
  'These rules hold for all of them:',
  '',
  '- **Arguments** are the variables of the query, as one object. What is marked with `?` can be left out. Ids are UUIDs; they are checked before',
  '  anything is sent. Times are RFC 3339 text with any offset, or a `Date`; a date without a time is refused.',
  '- [**Options**](sdk.md#choose-fields) such as `select`, `signal` and `timeoutMs` are the second argument: `getVehicleById({ id }, { select })`.',
  '  Only where this page says "Arguments: none" are they the first: `getVehicles({ select })`.',
  '- **A list** is always an array: it is empty if there is nothing, and holds no null. **One record** is `null` if there is none with that id.',
  '  Each field of a record may be null.',
  '- **A method that changes something** is sent once. If nobody knows whether the service made the change, it throws',
  '  [`AmbiguousMutationError`](errors.md).',
  '- **Members assumed**: the contract does not show the keys of some inputs. Those that we guessed are all optional, and a',
  '  key that we do not know is sent as it is, so check your spelling ([schema.md](schema.md#assumptions)).',
  '',
  'In the examples `fleet` is a client, `from` and `to` are times, and names such as `vehicleId` are ids. `fleet api` sends any of these',
  'operations from the command line, also those without a command of their own.',
].join('\n');

const notQueries = [
  '## Not queries',
  [
    '- [`streamTrips`](telemetry.md#rebuild-trips): the trips of one vehicle or many in a period, one by one.',
    '- [`streamStops`](telemetry.md#stops): where vehicles stood for five minutes or more, with the engine on or off.',
    '- [`streamSnapshots`](telemetry.md#read-snapshots-row-by-row): the snapshots of one vehicle or many in a period of any length, one by one.',
    '- [`stream`](sdk.md#read-long-lists-row-by-row): the rows of any query above that returns a list, while its answer arrives.',
    '- [`watchStatus`](telemetry.md#watch): what vehicles do from now on: they move, stop, appear, are gone.',
    '- [`watchGeofences`](telemetry.md#geofences): which vehicles enter and leave which geofences from now on.',
    '- [`watchEvents`](telemetry.md#events-of-rules): events of rules, such as speeding, idling, or movement at night.',
    '- [`request`](sdk.md#send-your-own-documents): a document of your own.',
  ].join('\n'),
];

function methodPart(method: Method): readonly string[] {
  const { name, field, example, commands } = method;
  return [
    `### ${name}`,
    [
      ...(field.deprecationReason ? [`**Deprecated.** ${field.deprecationReason}`] : []),
      cell(oneLine(field.description)),
    ].join(' '),
    ['```ts', example, '```'].join('\n'),
    [
      ...argumentLines(method),
      `- **Result:** \`${resultOf(method)}\``,
      ...(commands.length > 0 ? [`- **Command:** ${commands.map(linked).join(', ')}`] : []),
    ].join('\n'),
  ];
}

function argumentLines({ field }: Method): readonly string[] {
  if (field.args.length === 0) return ['- **Arguments:** none'];
  const isAssumed = field.args.some(({ type }) => assumedPart(getNamedType(type)) === 'INPUT');
  const written = field.args.map(({ name, type }) => `\`${member(name, type)}\``).join(', ');
  return [`- **Arguments:** ${written}${isAssumed ? ' (members assumed)' : ''}`, ...field.args.flatMap(memberLines)];
}

function memberLines({ name, type, description }: SourceOperation['field']['args'][number]): readonly string[] {
  const named = getNamedType(type);
  const members = isInputObjectType(named) ? Object.values(named.getFields()) : [];
  return [{ name, description }, ...members]
    .filter(({ description: text }) => text)
    .map((one) => `  - \`${one.name}\`: ${cell(oneLine(one.description))}`);
}

function member(name: string, type: GraphQLInputType): string {
  return isNonNullType(type) ? `${name}: ${inputText(type)}` : `${name}?: ${inputText(type)} | null`;
}

function inputText(type: GraphQLInputType): string {
  const bare = getNullableType(type);
  if (isListType(bare)) return `${inputText(bare.ofType)}[]`;
  if (isInputObjectType(bare)) {
    return `{ ${Object.values(bare.getFields())
      .map((field) => member(field.name, field.type))
      .join('; ')} }`;
  }
  if (!isScalarType(bare)) return String(bare);
  const scalarTypes: Readonly<Record<string, string | { readonly input: string }>> = scalars;
  const scalar = scalarTypes[bare.name] ?? plainResult(bare, { scalars }).replace(' | null', '');
  return typeof scalar === 'string' ? scalar.replace(/^.*#/, '') : scalar.input;
}

function resultOf(operation: SourceOperation): string {
  const record = recordName(operation, { recordNames });
  if (record === null) return plainResult(operation.field.type, { scalars });
  return operation.returns.list ? `${record}[]` : `${record} | null`;
}

function linked(command: string): string {
  return `[\`${command}\`](cli.md#${anchorOf(command)})`;
}

function firstSentence(text: string | null | undefined): string {
  return oneLine(text).replace(/(?<=\.) .*/, '');
}

function readMethods(root: string, program: CommandPage): readonly Method[] {
  const folder = join(root, 'operations');
  const files = readdirSync(folder)
    .sort()
    .map((name) => ({
      file: name.replace(/\.graphql$/, ''),
      location: name,
      document: parse(readFileSync(join(folder, name), 'utf8')),
    }));
  const { operations } = readOperations(buildSchema(contractText), files);
  const examples = new Map(files.flatMap(({ document }) => examplesOf(document)));
  const named = namedIn(program);
  const methods = operations.map((operation) => {
    const { name } = operation;
    const file = files.find(({ document }) => operationsIn(document).some((node) => node.name?.value === name))?.file;
    const theme = Object.keys(themes).find((title) => themes[title]?.includes(file ?? ''));
    if (theme === undefined) throw new Error(`codegen/methods-page.ts has no theme for operations/${file}.graphql`);
    const example = examples.get(name);
    if (!example)
      throw new Error(`operations/${file}.graphql has no example of a call of ${name} in a comment above it`);
    return { ...operation, theme, example, commands: commandsFor(name, named) };
  });
  return Object.keys(themes).flatMap((title) => methods.filter(({ theme }) => theme === title));
}

function operationsIn({ definitions }: DocumentNode) {
  return definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
}

function examplesOf(document: DocumentNode): readonly (readonly [string, string])[] {
  return operationsIn(document).map((node) => {
    const lines: string[] = [];
    let token = node.loc?.startToken.prev;
    while (token?.kind === 'Comment') {
      lines.unshift(token.value.replace(/^ /, ''));
      token = token.prev;
    }
    return [node.name?.value ?? '', lines.join('\n')];
  });
}

interface Named {
  readonly command: string;
  /** The operations in its help, in order. */
  readonly operations: readonly string[];
}

function namedIn(page: CommandPage): readonly Named[] {
  const operations = [...page.about.matchAll(/\(([^()]*)\)/g)].flatMap(
    ([, text = '']) => text.match(/\b[a-z]+[A-Z][A-Za-z]*\b/g) ?? [],
  );
  return [{ command: page.name, operations }, ...page.commands.flatMap(namedIn)];
}

/** Prefers commands that name the operation first; others only need it too. */
function commandsFor(operation: string, named: readonly Named[]): readonly string[] {
  const all = named.filter(({ operations }) => operations.includes(operation));
  const about = all.filter(({ operations }) => operations[0] === operation);
  return (about.length > 0 ? about : all).slice(0, mostCommands).map(({ command }) => command);
}
