// The description of a moment, and its selection by a typed time, on the chart, and by a sign.
import { describe, expect, test } from 'vitest';
import { clockTimeOf, momentOfClockTime } from '../src/page/clock-time.js';
import { Formats } from '../src/page/format.js';
import { momentStory } from '../src/page/moment-story.js';
import { nearestEvent, timeOfSign } from '../src/page/nearest-on-track.js';
import { decodeTrack } from '../src/page/track.js';
import type { MapDay, MapEvent, MapStop, MapTrip } from '../src/shapes.js';

const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);

describe('a time that is typed', () => {
  const tallinn = 'Europe/Tallinn';
  const typed = (time: string, from: string, zone = tallinn) =>
    new Date(momentOfClockTime(time, Date.parse(from), zone)).toISOString();

  test('is that of the day, in the zone of the page, with seconds or without', () => {
    expect(typed('07:30', '2026-03-01T22:00:00Z')).toBe('2026-03-02T05:30:00.000Z');
    expect(typed('07:30:05', '2026-03-01T22:00:00Z')).toBe('2026-03-02T05:30:05.000Z');
    // The day of Tallinn begins at 22:00 UTC; its last hours have the next date.
    expect(typed('22:15:00', '2026-03-01T22:00:00Z', 'UTC')).toBe('2026-03-01T22:15:00.000Z');
    expect(typed('21:15:00', '2026-03-01T22:00:00Z', 'UTC')).toBe('2026-03-02T21:15:00.000Z');
    // A file may begin within a second.
    expect(typed('10:00:00', '2026-03-02T08:00:00.400Z')).toBe('2026-03-02T08:00:00.000Z');
  });

  test('goes with the clocks when they leave it out, and is the first one when they double it', () => {
    expect(typed('03:30:00', '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(typed('04:30:00', '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(typed('03:30:00', '2026-10-24T21:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(typed('23:59:59', '2026-10-24T21:00:00Z')).toBe('2026-10-25T21:59:59.000Z');
  });

  test('is what the field shows of the moment', () => {
    expect(clockTimeOf(at('05:30:05') + 999, tallinn)).toBe('07:30:05');
    expect(clockTimeOf(Date.parse('2026-10-25T01:30:00Z'), tallinn)).toBe('03:30:00');
  });
});

function trip(from: string, to: string | null, more: Partial<MapTrip> = {}): MapTrip {
  const numbers = { km: 10, isDoubted: false, topSpeed: 90, movingMs: 0, idleMs: 0, fuelUsed: null, odometerKm: null };
  return {
    ...{ ...numbers, isFuelInLitres: false, tank: null, drivers: ['Ewa Jansons'], startPlace: null, endPlace: null },
    ...{ from: at(from), to: to === null ? null : at(to), lastSeenAt: at(to ?? from) },
    ...{ beganBefore: false, wentOn: false, ...more },
  };
}

const inPlace = (name: string) => ({ name, metres: 0, direction: null });
const stop = (from: string, to: string | null, longitude = 0): MapStop => ({
  ...{ from: at(from), beganBefore: false, idleMs: null, to: to === null ? null : at(to) },
  ...{ latitude: 0, longitude, place: inPlace('Depot') },
});
const event = (time: string, longitude = 0): MapEvent => ({
  ...{ at: at(time), latitude: 0, longitude, type: 'HARSH_BRAKING', value: null, speed: 54, place: inPlace('Riga') },
});

const columns = { start: at('05:00:00'), times: [0, 2_300], latitudes: [0, 0], longitudes: [0, 200_000] };
const day: MapDay = {
  ...{
    vehicleId: 'v',
    from: at('00:00:00'),
    to: at('10:00:00'),
    lastFixAt: null,
    visits: [],
    assigned: null,
    notes: [],
    warnings: [],
  },
  track: { ...columns, speeds: [50, 50], breaks: [] },
  trips: [trip('05:00:00', '05:38:27', { startPlace: inPlace('Riga'), endPlace: inPlace('Depot') })],
  stops: [stop('05:38:27', '05:59:40', 2), stop('08:00:00', null, 2)],
  events: [event('05:10:00', 0.5), event('05:38:27', 2)],
};

describe('the words of a moment', () => {
  const formats = new Formats('UTC', 'metric');
  const words = (time: string, isGoingOn = false) =>
    momentStory({ day, period: day, isGoingOn, speed: '50 km/h' }, at(time), formats);

  test('are those of the trip, and from its end on those of the stop', () => {
    expect(words('05:05:00')).toBe('05:05:00 · 50 km/h · Ewa Jansons · in Riga → in Depot');
    const ended = { ...day, events: [] };
    const said = momentStory({ day: ended, period: day, isGoingOn: false, speed: '0 km/h' }, at('05:38:27'), formats);
    expect(said).toBe('05:38:27 · stop 1, 21 min · in Depot');
    expect(words('07:00:00')).toBe('07:00:00');
  });

  test('name the event of the moment before all else, as the list does', () => {
    expect(words('05:10:00')).toBe('05:10:00 · Harsh braking · 54 km/h · Ewa Jansons · in Riga');
    expect(words('05:38:27')).toBe('05:38:27 · Harsh braking · stop 1, 21 min · in Depot');
  });

  test('say how long a stop has been that goes on, and how long it was to the end of a day that is over', () => {
    expect(words('09:00:00', true)).toBe('09:00:00 · stop 2, 2 h 00 min so far · in Depot');
    expect(words('09:00:00')).toBe('09:00:00 · stop 2, 2 h 00 min · in Depot');
  });
});

test('on the chart the nearest event within reach is meant', () => {
  const events = [event('05:10:00'), event('05:14:00')];
  expect(nearestEvent(events, at('05:11:00'), 300_000)).toBe(at('05:10:00'));
  expect(nearestEvent(events, at('05:13:00'), 300_000)).toBe(at('05:14:00'));
  expect(nearestEvent(events, at('05:20:00'), 300_000)).toBe(null);
});

test('a sign on the map is the beginning of its stop, or its event; the uppermost one counts', () => {
  const view = { scale: 36_000, left: 18_000 - 100, top: 18_000 - 100, width: 400, height: 200 };
  const shown = { ...day, track: decodeTrack(day.track), chosen: null };
  const sign = (x: number, y: number) => timeOfSign(shown, view, { x, y });
  // Two stops at one place: the last one is drawn on top.
  expect(sign(306, 106)).toBe(at('08:00:00'));
  expect(sign(300, 80)).toBe(at('05:38:27'));
  expect(sign(150, 78)).toBe(at('05:10:00'));
  // The foot of an event is on the track, which has times of its own.
  expect(sign(150, 100)).toBe(null);
  expect(timeOfSign({ ...shown, from: at('09:00:00') }, view, { x: 300, y: 100 })).toBe(at('09:00:00'));
});
