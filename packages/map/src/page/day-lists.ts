// Builds the lists of trips, stops, geofence visits and driver behaviour, earliest first.
import type { MapDay, MapPlace } from '../shapes.js';
import { dayDistanceText } from './day-numbers.js';
import type { Days } from './days.js';
import { eventText, type Formats, formatDuration, spanText } from './format.js';
import type { WordKey } from './words/words.js';

export interface DayItem {
  readonly at: number;
  /** Identifies the item after the day has grown. */
  readonly key: string;
  readonly title: string;
  readonly about: readonly string[];
  /** Period to show on click; a null `to` means a moment. */
  readonly goTo: readonly [from: number, to: number | null];
}

export interface DayList {
  readonly title: WordKey;
  readonly items: readonly DayItem[];
  readonly isOpenAtFirst: boolean;
}

export function listsOf(day: MapDay, formats: Formats, days: Days): readonly DayList[] {
  const { trips, visits, events } = day;
  const list = (title: WordKey, items: readonly DayItem[], isOpenAtFirst = false) => ({ title, items, isOpenAtFirst });
  return [
    list(
      'trips',
      trips.map((trip) => tripItem(trip, formats)),
      true,
    ),
    list('stops', stopItems(day, days, formats)),
    list(
      'geofencesVisited',
      visits.map((visit) => visitItem(visit, day, formats)),
    ),
    list(
      'driverBehaviour',
      events.map((event) => eventItem(event, formats)),
    ),
  ];
}

function tripItem(trip: MapDay['trips'][number], formats: Formats): DayItem {
  const { from, to, lastSeenAt, beganBefore, wentOn, km, isDoubted, topSpeed, idleMs, drivers } = trip;
  const { language } = formats;
  const time = formats.time(from);
  const begin = beganBefore ? language.text('before', { time }) : time;
  const end =
    to === null
      ? language.text('underWay')
      : wentOn
        ? language.text('after', { time: formats.endTime(to) })
        : endText(to, from, formats);
  const about = [
    dayDistanceText(km, isDoubted, formats),
    spanText(from, to ?? lastSeenAt),
    ...(idleMs >= 60_000 ? [language.text('idleFor', { time: formatDuration(idleMs) })] : []),
    ...(topSpeed === null ? [] : [language.text('upTo', { speed: formats.speed(topSpeed) })]),
    ...drivers,
  ].join(' · ');
  return {
    at: from,
    key: `trip ${from}`,
    title: `${begin} – ${end}`,
    about: [about, ...placesText(trip.startPlace, to === null ? null : trip.endPlace, formats)],
    goTo: [from, to ?? lastSeenAt],
  };
}

function placesText(start: MapPlace | null, end: MapPlace | null, formats: Formats): readonly string[] {
  const [from, to] = [formats.place(start), formats.place(end)];
  if (from === '' && to === '') return [];
  if (from === to || from === '') return [to];
  if (to !== '') return [`${from} → ${to}`];
  return [formats.language.text('fromPlace', { name: start?.direction === null ? start.name : from })];
}

function stopItems(day: MapDay, days: Days, formats: Formats): readonly DayItem[] {
  const { language } = formats;
  const isToday = days.kind === 'any' && formats.fleetDay(day.from) === days.latest();
  const lengths = day.stops.map(({ from, to }) => (to ?? day.to) - from);
  const longest = lengths.length > 1 ? lengths.indexOf(Math.max(...lengths)) : null;
  return day.stops.map(({ from, beganBefore, to, idleMs, place }, index) => {
    const lasted = spanText(from, to ?? day.to);
    const end = to !== null ? '' : language.text(days.kind === 'any' && !isToday ? 'toTheEnd' : 'stillThere');
    const about = [
      end,
      to === null && isToday ? language.text('soFar', { time: lasted }) : lasted,
      index === longest ? language.text('longest') : '',
      (idleMs ?? 0) >= 60_000 ? language.text('idleFor', { time: formatDuration(idleMs ?? 0) }) : '',
      formats.place(place),
    ];
    const own = formats.time(from);
    const begin = beganBefore ? language.text('before', { time: own }) : own;
    const time = to === null ? language.text('since', { time: begin }) : `${begin} – ${endText(to, from, formats)}`;
    return {
      at: from,
      key: `stop ${from}`,
      title: `${index + 1}. ${time}`,
      about: [about.filter(Boolean).join(' · ')],
      goTo: [from, null],
    };
  });
}

function visitItem({ name, from, to, lastSeenAt }: MapDay['visits'][number], day: MapDay, formats: Formats): DayItem {
  const { language } = formats;
  const begin = from ?? day.from;
  const time = formats.time(begin);
  const since = from === null ? language.text('before', { time }) : time;
  const end = to === null ? language.text('thereAt', { time: formats.time(lastSeenAt) }) : endText(to, begin, formats);
  return {
    at: begin,
    key: `visit ${begin} ${name}`,
    title: name,
    about: [`${since} – ${end} · ${spanText(begin, to ?? lastSeenAt)}`],
    goTo: [begin, to ?? lastSeenAt],
  };
}

function eventItem({ at, type, speed, place }: MapDay['events'][number], formats: Formats): DayItem {
  const about = [eventText(type, formats.language), speed === null ? '' : formats.speed(speed), formats.place(place)];
  return {
    at,
    key: `event ${at} ${type}`,
    title: formats.seconds(at),
    about: [about.filter(Boolean).join(' · ')],
    goTo: [at, null],
  };
}

/** Includes the date when it differs from the start's date. */
function endText(to: number, from: number, formats: Formats): string {
  return formats.day(to) === formats.day(from) ? formats.time(to) : formats.moment(to);
}
