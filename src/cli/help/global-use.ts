// The global flags of each command. Others are refused, and not offered by completion.
import type { Command, Option } from 'commander';

/** Flags that every command uses. */
const always = ['quiet', 'verbose', 'color', 'input'] as const;
const login = ['profile', 'baseUrl', 'redis', 'timeout'] as const;
const service = [...login, 'user', 'demo', 'demoTime'] as const;
/** Flags for printing a result. */
const result = ['timeZone', 'output', 'outputFile', 'jq', 'wide', 'headers', 'safeCsv', 'pager'] as const;
/** Flags for selecting rows. */
const chosen = ['sort', 'filter', 'limit'] as const;
const rows = [...service, ...result, 'fields', ...chosen] as const;

interface FlagUse {
  readonly flags: readonly string[];
  readonly commands: readonly string[];
  /** Hint of a refusal: the alternative of the command. */
  readonly instead?: string;
}

const uses: readonly FlagUse[] = [
  {
    flags: rows,
    commands: [
      ...['doctor', 'today', 'watch', 'sync', 'users list', 'users info', 'schema print', 'schema check'],
      ...['vehicles list', 'vehicles get', 'vehicles types', 'vehicles fields', 'vehicles sensors', 'vehicles groups'],
      ...['vehicles status', 'vehicles near', 'devices get', 'drivers assignments', 'snapshots latest', 'stops list'],
      ...['snapshots list', 'trips list', 'reports list', 'reports inputs', 'reports run', 'geofences list'],
      ...['geofences get', 'geofences visits', 'groups list', 'groups get', 'people list', 'people get'],
      ...['people fields', 'labels list', 'roles list', 'sensors list', 'rules list', 'rules get', 'schedules list'],
      'schedules get',
    ],
  },
  { flags: [...service, ...result, 'fields'], commands: ['status'] },
  {
    flags: [...service, ...result, 'fields', 'filter'],
    commands: ['vehicles update', 'vehicles set-field'],
    instead: '--filter chooses the vehicles that are changed.',
  },
  {
    flags: [...service, ...result, 'filter'],
    commands: ['geofences delete', 'geofences groups', 'groups delete', 'people delete'],
    instead: '--filter chooses the records that are changed.',
  },
  {
    flags: [...service, ...result, 'fields'],
    commands: [
      ...['geofences create', 'geofences update', 'groups create', 'groups update', 'people create'],
      ...['people update', 'people set-field', 'tokens create', 'tokens update'],
    ],
    instead: 'The arguments name the records that are changed.',
  },
  {
    flags: [...service, ...result],
    commands: ['drivers assign', 'drivers unassign', 'vehicles move', 'people set-roles', 'tokens delete'],
    instead: 'The arguments name the records that are changed.',
  },
  {
    flags: [...service, ...result],
    commands: [
      ...['vehicles apply', 'drivers apply', 'tokens apply', 'geofences import', 'groups apply', 'people apply'],
    ],
    instead: 'Every record of the file is changed: give a file with fewer.',
  },
  { flags: [...login, 'user'], commands: ['login'], instead: '`fleet vehicles list --demo` needs no login.' },
  { flags: login, commands: ['logout', 'users use'], instead: 'For one call, select a user with --user.' },
  { flags: ['profile', 'redis', ...result, 'fields', ...chosen], commands: ['profiles list'] },
  { flags: ['redis'], commands: ['profiles remove'] },
  { flags: [...result, 'fields', ...chosen, 'user'], commands: ['history'] },
  { flags: result, commands: ['history get'] },
  {
    flags: [...login, 'user', ...result],
    commands: ['undo'],
    instead: 'An undo reverts a whole command. --demo has no journal; `fleet mock` runs a service that keeps its data.',
  },
  {
    flags: [...service, 'output', 'outputFile', 'jq'],
    commands: ['api'],
    instead: 'It prints the whole answer: select and filter in the document, or with --jq.',
  },
  { flags: [...service, 'timeZone'], commands: ['mcp'], instead: 'Each tool has its own filters and limits.' },
  {
    flags: [...service, 'timeZone', 'outputFile'],
    commands: ['map'],
    instead: '--vehicle-filter chooses the vehicles of the map.',
  },
  { flags: [...service, 'outputFile'], commands: ['schema pull'] },
  { flags: ['outputFile'], commands: ['completion'] },
  { flags: [], commands: ['mock', 'profiles use'] },
];

const useOf = new Map(uses.flatMap((use) => use.commands.map((command) => [command, use] as const)));

export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trimStart();
}

/** True when the command accepts the flag. `flag`: its name in the code, such as `outputFile`. */
export function usesGlobal(command: Command, flag: string): boolean {
  const use = useOf.get(pathOf(command));
  // A noun with verbs is never run itself.
  if (use === undefined && command.commands.length > 0) return true;
  return [...always, ...(use?.flags ?? [])].includes(flag);
}

/** Returns the options that a command accepts, its own first. `owner`: where reading starts. */
export function acceptedOptions(command: Command, owner = command): readonly Option[] {
  const options = owner.options.filter(({ hidden }) => !hidden);
  if (owner.parent !== null) return [...options, ...acceptedOptions(command, owner.parent)];
  const accepts = (name: string) => usesGlobal(command, name) && (name !== 'version' || command === owner);
  return options.filter((option) => accepts(option.attributeName()));
}

/** Returns the alternative to refused flags, else null. */
export function insteadOfGlobal(command: Command): string | null {
  return useOf.get(pathOf(command))?.instead ?? null;
}
