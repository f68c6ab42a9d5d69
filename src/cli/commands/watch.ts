// `fleet watch`: emits events of vehicles to the screen, a command or a URL.
import { join } from 'node:path';
import type { Command } from 'commander';
import { hashedName } from '../../core/hashed-name.js';
import { readSettings } from '../config/settings.js';
import { connect } from '../connection/connect.js';
import { type Context, note } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRows } from '../context/print.js';
import { refusal } from '../errors/cli-error.js';
import { WATCH_INTERVAL_MS } from '../live/flags.js';
import { watchFormat } from '../live/watch.js';
import { pastMoment, readTime, timeHelp } from '../parse/time.js';
import { readBytes } from '../prompt/read-text.js';
import { listShape } from '../shape/list-shape.js';
import { type EffectiveRule, effectiveRuleView } from '../views/alert.js';
import type { AlertRule } from '../watch/alert-rule.js';
import { type AlertFlags, addAlertFlags, refuseFlagsWithRules, rulesOfFlags } from '../watch/flags.js';
import { vehicleChoices } from '../watch/fleet-reads.js';
import { alertPrinter, refuseListOfAlerts } from '../watch/print-alerts.js';
import { receiversOf } from '../watch/receivers.js';
import { runWatch } from '../watch/run-watch.js';
import { WatchFile } from '../watch/watch-file.js';

export const define: DefineCommand = (noun: Command, open) => {
  addAlertFlags(noun)
    .addHelpText(
      'after',
      `${examples(
        ['fleet watch --on geofence-exit --geofence "Depot Tartu"', 'a line for each vehicle that leaves the depot'],
        ['fleet watch --on silent --for 2h', 'no data for two hours'],
        ['fleet watch --on speeding,idle --speed-limit 110 --for idle=15m', ''],
        ['fleet watch --on movement --between 22:00-06:00', 'what moves at night, by its local time'],
        ['fleet watch --on ignition --group Vans -o ndjson', 'for a program'],
        ["fleet watch --on speeding --since last --exec './notify.sh'", 'a command for each event, and none is lost'],
        ['fleet watch --rules alerts.yaml --since last --post https://example.com/fleet', ''],
        ['fleet watch --rules alerts.yaml --dry-run', 'the rules with their defaults'],
      )}

- A condition that already holds when the watch begins is not an event.
- Event ids are stable. A receiver can use them to discard duplicates.
- docs/alerts.md describes the events, the check of signatures, and unattended watches.${timeHelp}`,
    )
    .action((flags: AlertFlags) => run(open({ isEndless: flags.dryRun !== true }), flags));
};

async function run(context: Context, flags: AlertFlags): Promise<void> {
  const rules = await rulesOf(context, flags);
  const receivers = await receiversOf(context, flags);
  const since = flags.since === undefined || flags.since === 'last' ? null : readTime(context, flags.since, '--since');
  if (flags.dryRun) {
    const { rows, view } = listShape(context, effectiveRuleView, 'view');
    return printRows(context, rows(rules.map(effectiveRule)), view, '');
  }
  refuseListOfAlerts(context);
  const choices = vehicleChoices(context, flags, rules);
  const print = alertPrinter(context, watchFormat(context, 'fleet watch'));
  const file = await fileOf(context, flags);
  if (file !== null) reportWatchFile(context, file, flags, new Set(receivers.map(({ name }) => name)));
  const client = await connect(context).catch((error) => {
    file?.close();
    throw error;
  });
  const everyMs = flags.every ?? WATCH_INTERVAL_MS;
  const from = since === null ? null : await pastMoment(context, client, since, '--since');
  await runWatch(context, { client, rules, choices, flags, everyMs, since: from, file, receivers, print });
}

async function rulesOf(context: Context, flags: AlertFlags): Promise<readonly AlertRule[]> {
  if (flags.rules === undefined) return rulesOfFlags(flags);
  refuseFlagsWithRules(flags);
  const source = flags.rules === '-' ? '-' : `@${flags.rules}`;
  const text = new TextDecoder().decode(await readBytes(context, source));
  const { parseRules } = await import('../watch/rules-file.js');
  return parseRules(text, flags.rules === '-' ? 'stdin' : flags.rules);
}

/** Opens the state file of the watch; null when nothing is stored. */
async function fileOf(context: Context, { state, since, exec, post }: AlertFlags): Promise<WatchFile | null> {
  if (context.globals.demo) {
    if (state === undefined) return null;
    throw refusal('--state needs a service, and --demo stores nothing.', { hint: 'Leave out one of them.' });
  }
  const isStored = state !== undefined || since === 'last' || exec !== undefined || post !== undefined;
  if (!isStored) return null;
  const { folder, baseUrl, username, user, savedUser } = await readSettings(context);
  const owner = JSON.stringify([baseUrl, username, user ?? savedUser?.userId ?? null]);
  return WatchFile.open(state ?? join(folder, 'watch', hashedName(owner)), owner, {
    signal: context.io.signal,
    onWait: () => note(context, 'Another watch may still run here. This one waits up to 35 s to see if it does.'),
  });
}

function reportWatchFile(
  context: Context,
  { storedState, isNew, damage }: WatchFile,
  { since }: AlertFlags,
  receivers: ReadonlySet<string>,
): void {
  if (damage !== null) {
    const usableText = isNew ? 'Nothing in it can be used' : 'Everything else in it is used';
    note(
      context,
      `! The file of the watch was damaged: ${damage.bytes} bytes cannot be read, and events in them are lost. ${usableText}. The damaged file is kept as ${damage.backup}.`,
    );
  }
  if (since === 'last' && isNew) note(context, 'There is no earlier watch to continue, so this one begins now.');
  if (since !== 'last') storedState.clearVehicleStates();
  for (const name of ['exec', 'post'] as const) {
    const count = storedState.waitingFor(name).length;
    if (count === 0) continue;
    const events = count === 1 ? '1 event' : `${count} events`;
    const what = receivers.has(name) ? `are delivered now` : `wait until --${name} is given again`;
    note(context, `From an earlier watch, ${events} ${what}.`);
  }
}

function effectiveRule({ name, on, forMs, vehicles, geofences, hours: _, ...rule }: AlertRule): EffectiveRule {
  return {
    name,
    on,
    forSeconds: forMs / 1_000,
    ...rule,
    geofence: geofences,
    group: vehicles?.group ?? null,
    label: vehicles?.label ?? null,
    vehicleFilter: vehicles?.vehicleFilter ?? null,
  };
}
