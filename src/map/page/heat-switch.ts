// The switch of the heat map, and the words that say what it shows.
import { find, setText } from './dom.js';
import { HeatMap } from './heat-map.js';
import type { Line } from './lines.js';
import type { Language } from './words/language.js';

/** What the heat map is made of. */
export interface HeatSource {
  readonly lines: readonly Line[];
  /** Of whom and when, in words. */
  readonly about: string;
}

export interface HeatModel {
  readonly language: Language;
  /** Null while it has not been read. */
  readonly source: () => HeatSource | null;
  /** Reads it. */
  readonly read: () => void;
  readonly show: (heat: HeatMap | null) => void;
}

export class HeatSwitch {
  readonly #model: HeatModel;
  readonly #button = find('heat', HTMLButtonElement);
  readonly #note = find('heat-note', HTMLElement);
  #isOn = false;

  constructor(model: HeatModel) {
    this.#model = model;
    this.#button.addEventListener('click', () => {
      this.#isOn = !this.#isOn;
      this.#button.setAttribute('aria-pressed', String(this.#isOn));
      if (this.#isOn && model.source() === null) model.read();
      this.update();
    });
  }

  /** After the period or the lines have changed. */
  update(): void {
    const source = this.#isOn ? this.#model.source() : null;
    this.#note.hidden = !this.#isOn;
    const { language } = this.#model;
    const about =
      source === null
        ? language.text('reading')
        : source.lines.length === 0
          ? language.text('heatNone', { about: source.about })
          : source.about;
    setText(this.#note, language.text('heatNote', { about }));
    this.#model.show(source === null ? null : new HeatMap(source.lines));
  }
}
