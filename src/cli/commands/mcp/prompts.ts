// Questions that people ask again and again, for the menu of a client.
import type { ServedPrompt } from '../../mcp/served.js';

export const prompts: readonly ServedPrompt[] = [
  {
    name: 'morning_report',
    title: 'Morning report',
    description: 'What a dispatcher wants to know in the morning: yesterday in numbers, and what needs a look today.',
    args: { group: { description: 'only the vehicles of this group', required: false } },
    text: ({ group = '' }) => `Write the morning report of the fleet${ofGroup(group)}.
1. Call sum_trips with by "vehicle" and on "yesterday"${withGroup(group)}, sorted by idleSeconds, and fleet_today${withGroup(group)}.
2. Say in at most ten lines: kilometres, driving and idle time of yesterday (the totals of the answers, not your own sums), the three vehicles that idled most, vehicles that did not move, vehicles that are silent now and since when, and who is on the road now.
3. End with what a person should look at first.`,
  },
  {
    name: 'who_was_at',
    title: 'Who was at a place',
    description: 'Which vehicles and drivers were at a place on a day, and how long.',
    args: {
      place: { description: 'the geofence, by its whole name', required: true },
      on: { description: 'the day, such as yesterday or 2026-03-01', required: true },
    },
    text: ({ place = '', on = '' }) => `Who was at ${JSON.stringify(place)} on ${JSON.stringify(on)}?
Call place_visits with these as places and on. If the name is not clear, call find_record with kind "geofence". Answer with a short table: vehicle, driver, came, left, how long; then how many there were at the same time at most. Say when a visit began before the day or went on after it.`,
  },
  {
    name: 'compare_weeks',
    title: 'This week and the one before',
    description: 'How the kilometres, idle time and fuel of two weeks differ.',
    args: {},
    text: () => `Compare the last two whole weeks of the fleet.
Call sum_trips twice with by "vehicle": on "last week" and on "2 weeks ago". Take totals from the answers. Tell what changed most, and for which vehicles; leave out what is below a tenth.`,
  },
];

function ofGroup(group: string): string {
  return group === '' ? '' : ` of the group ${JSON.stringify(group)}`;
}

function withGroup(group: string): string {
  return group === '' ? '' : ` and group ${JSON.stringify(group)}`;
}
