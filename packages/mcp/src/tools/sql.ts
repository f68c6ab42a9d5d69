// The tool that runs SQL on the SQLite copy of `fleet sync`.

import { CliError, localTime } from 'fleet-telematics/kit/command';
import type { FleetCopy } from 'fleet-telematics-sync/copy';
import type { Tool } from '../tool.js';
import { countText } from './tools.js';

const MOST_ROWS = 1_000;

export function sqlTool({ query, freshness }: FleetCopy): Tool {
  return {
    name: 'sql',
    title: 'SQL over the copy of the fleet',
    description: `Runs one SELECT on a local copy of the fleet in SQLite, which may be some minutes or days old: asOf says as of when. For counts, comparisons and long periods that the other tools cannot answer; they know the present. Tables: vehicles (id, name, license_plate …), trips (vehicle_id, driver_id, started_at, ended_at, distance_km, duration_s, moving_s, idle_s, top_speed_kmh, fuel_used …), stops (vehicle_id, started_at, ended_at, duration_s, idle_s …), trip_segments (local_day …), people, groups, vehicle_groups, driver_assignments, geofences, latest_snapshots, snapshots. Views: vehicle_now, trips_daily, vehicle_days, driver_days, geofence_visits, trip_hours, group_tree. Times are texts in UTC. SELECT name, sql FROM sqlite_master lists the columns.`,
    input: {
      sql: {
        type: 'string',
        maxLength: 10_000,
        description: `one statement that reads; at most ${MOST_ROWS} rows`,
        examples: [
          "SELECT name, sum(distance_km) AS km FROM vehicle_days WHERE local_day >= '2026-03-01' GROUP BY name ORDER BY km DESC LIMIT 10",
        ],
      },
    },
    required: ['sql'],
    hasRows: true,
    async run({ context }, { sql }) {
      // Pragmas expose the file path and raw pages. SQL has no other spelling of these names.
      if (/pragma_|sqlite_(dbpage|stmt)/i.test(String(sql))) throw new CliError('USAGE', 'Pragmas are not run.');
      const [[age] = [], all = []] = await query([freshness, String(sql)], context.io.signal, MOST_ROWS + 1);
      const rows = all.slice(0, MOST_ROWS);
      if (all.length > MOST_ROWS)
        context.report.warn(`There are more than ${MOST_ROWS} rows: the others are left out.`);
      const asOf = momentOf(age?.until);
      const time =
        asOf === null ? 'an unknown time' : localTime(asOf, 'second', { zone: context.zone.name, offset: null });
      return {
        summary: `${countText(rows.length, 'row')} of the copy, as of ${time}.`,
        facts: { partsOfCopy: age?.parts ?? null },
        rows,
        source: 'copy',
        ...(asOf === null ? {} : { asOf }),
      };
    },
  };
}

function momentOf(until: unknown): number | null {
  const moment = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}
