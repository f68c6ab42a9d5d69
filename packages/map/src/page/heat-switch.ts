// The switches of the heat map and its period, and the note about its content.
import { find, setText } from './dom.js';
import { HeatMap } from './heat-map.js';
import type { Line } from './lines.js';
import type { Language } from './words/language.js';

/** As in the link. */
const heatPeriods = ['24h', '7d'] as const;
export type HeatPeriod = (typeof heatPeriods)[number];

export interface HeatSource {
  readonly lines: readonly Line[];
  readonly about: string;
  /** Progress of the read; null when complete. */
  readonly progress: string | null;
  readonly hasPeriods: boolean;
}

export interface HeatModel {
  readonly language: Language;
  readonly source: (period: HeatPeriod) => HeatSource | null;
  /** Null stops the read. */
  readonly read: (period: HeatPeriod | null) => void;
  readonly show: (heat: HeatMap | null) => void;
  readonly switched: () => void;
}

export class HeatSwitch {
  readonly #model: HeatModel;
  readonly #button = find('heat', HTMLButtonElement);
  readonly #note = find('heat-note', HTMLElement);
  readonly #text = find('heat-text', HTMLElement);
  readonly #periods = find('heat-periods', HTMLElement);
  readonly #choices = { '24h': find('heat-day', HTMLButtonElement), '7d': find('heat-week', HTMLButtonElement) };
  #isOn = false;
  #period: HeatPeriod = '24h';

  constructor(model: HeatModel) {
    this.#model = model;
    this.#button.addEventListener('click', () => this.#switch(!this.#isOn, this.#period));
    for (const period of heatPeriods) {
      this.#choices[period].addEventListener('click', () => this.#switch(true, period));
    }
    // A hidden page stops the read.
    document.addEventListener('visibilitychange', () => this.#read());
  }

  /** Null while off. */
  get link(): string | null {
    return this.#isOn ? this.#period : null;
  }

  follow(link: string | null): void {
    this.#set(link !== null, heatPeriods.find((period) => period === link) ?? this.#period);
  }

  update(): void {
    const source = this.#isOn ? this.#model.source(this.#period) : null;
    this.#note.hidden = !this.#isOn;
    this.#periods.hidden = source?.hasPeriods === false;
    const { language } = this.#model;
    const about =
      source === null
        ? language.text('reading')
        : source.progress !== null
          ? `${source.about} · ${source.progress}`
          : source.lines.length === 0
            ? language.text('heatNone', { about: source.about })
            : source.about;
    setText(this.#text, language.text('heatNote', { about }));
    this.#model.show(source === null ? null : new HeatMap(source.lines));
  }

  #switch(isOn: boolean, period: HeatPeriod): void {
    this.#set(isOn, period);
    this.#model.switched();
  }

  #set(isOn: boolean, period: HeatPeriod): void {
    if (isOn === this.#isOn && period === this.#period) return;
    this.#isOn = isOn;
    this.#period = period;
    this.#button.setAttribute('aria-pressed', String(isOn));
    for (const each of heatPeriods) this.#choices[each].setAttribute('aria-pressed', String(each === period));
    this.#read();
    this.update();
  }

  #read(): void {
    this.#model.read(this.#isOn && !document.hidden ? this.#period : null);
  }
}
