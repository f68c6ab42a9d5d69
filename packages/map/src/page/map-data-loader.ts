// Loads geofences and driven roads; reports failures, and retries after an outage.
import { fenceOf } from './fence.js';
import { bySize } from './fence-distance.js';
import type { FleetMap } from './fleet-map.js';
import type { Header } from './header.js';
import { type Line, linesOf } from './lines.js';
import { ProblemError, type Source } from './source.js';
import { WeekRoads } from './week-roads.js';
import type { Language } from './words/language.js';
import { type ProblemSentence, pageSentence } from './words/problem-sentences.js';

export interface MapDataLoaderModel {
  readonly source: Source;
  readonly map: FleetMap;
  readonly header: Header;
  readonly language: Language;
  readonly onGeofences: () => void;
  readonly onRoads: () => void;
}

/** Roads driven in the last 24 hours. */
export interface DrivenRoads {
  readonly to: number;
  readonly lines: readonly Line[];
}

export class MapDataLoader {
  readonly #model: MapDataLoaderModel;
  #roads: DrivenRoads | null = null;
  #isReadingRoads = false;
  readonly week: WeekRoads;

  constructor(model: MapDataLoaderModel) {
    this.#model = model;
    this.week = new WeekRoads(model.source, model.onRoads);
  }

  get roads(): DrivenRoads | null {
    return this.#roads;
  }

  async readGeofences(): Promise<void> {
    const { source, map, header, language, onGeofences } = this.#model;
    try {
      map.fences = (await source.geofences()).map(fenceOf).sort(bySize);
      onGeofences();
      header.showProblem('geofences', null);
      map.drawAll();
    } catch (error) {
      header.showProblem('geofences', missing(language.text('geofencesMissing'), error));
    }
  }

  async readRoads(): Promise<void> {
    if (this.#isReadingRoads) return;
    this.#isReadingRoads = true;
    const { source, map, header, language, onRoads } = this.#model;
    try {
      const roads = await source.roads();
      this.#roads = { to: roads.to, lines: linesOf(roads) };
      map.roads = this.#roads.lines;
      onRoads();
      header.showProblem('roads', null);
      map.drawAll();
    } catch (error) {
      header.showProblem('roads', missing(language.text('roadsMissing'), error));
    } finally {
      this.#isReadingRoads = false;
    }
  }

  async readWeek(): Promise<void> {
    const { header, language } = this.#model;
    try {
      await this.week.read();
      header.showProblem('week', null);
    } catch (error) {
      header.showProblem('week', missing(language.text('roadsMissing'), error));
    }
  }

  stopWeek(): void {
    this.week.stop();
    this.#model.header.showProblem('week', null);
  }

  readMissing(): void {
    if (this.#model.header.hasProblem('geofences')) void this.readGeofences();
    if (this.#model.header.hasProblem('roads')) void this.readRoads();
    if (this.#model.header.hasProblem('week')) void this.readWeek();
  }
}

function missing(what: string, error: unknown): readonly ProblemSentence[] {
  if (!(error instanceof ProblemError)) throw error;
  return [pageSentence(what), ...error.said];
}
