// The share menu: a link, a print, or the positions as a file.
import { find, setText } from './dom.js';
import { csvFile, type ExportedPositions, gpxFile } from './track-files.js';
import type { Language } from './words/language.js';

export interface ShareModel {
  readonly language: Language;
  readonly isFile: boolean;
  link(): string;
  positions(): ExportedPositions | null;
  dayOf(moment: number): string;
  print(): void;
}

const COPIED_MS = 2_000;

export class ShareMenu {
  readonly #model: ShareModel;
  readonly #target = find('share', HTMLDetailsElement);
  readonly #copy = find('copy-link', HTMLButtonElement);
  /** True while a pointer outside has only closed the menu; its click is swallowed. */
  #isClosing = false;
  readonly #files = [find('save-gpx', HTMLButtonElement), find('save-csv', HTMLButtonElement)] as const;

  constructor(model: ShareModel) {
    this.#model = model;
    const [gpx, csv] = this.#files;
    this.#target.addEventListener('toggle', () => this.#update());
    this.#target.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#target.open) return;
      event.preventDefault();
      this.#close();
    });
    setText(find('share-note', HTMLElement), model.language.text(model.isFile ? 'linkOfFile' : 'linkOfLive'));
    document.addEventListener('pointerdown', ({ target }) => {
      this.#isClosing = this.#target.open && !(target instanceof Node && this.#target.contains(target));
      if (this.#isClosing) this.#target.open = false;
    });
    document.addEventListener('click', (event) => this.#swallow(event), { capture: true });
    this.#copy.addEventListener('click', () => void this.#copyLink());
    find('print', HTMLButtonElement).addEventListener('click', () => {
      this.#close();
      model.print();
    });
    gpx.addEventListener('click', () => void this.#save('gpx', 'application/gpx+xml', gpxFile));
    csv.addEventListener('click', () => void this.#save('csv', 'text/csv', csvFile));
  }

  #swallow(event: MouseEvent): void {
    // A click by keyboard has detail 0.
    if (!this.#isClosing || event.detail === 0) return;
    this.#isClosing = false;
    event.preventDefault();
    event.stopPropagation();
  }

  #update(): void {
    setText(this.#copy, this.#model.language.text('copyLink'));
    const has = this.#model.positions() !== null;
    for (const button of this.#files) button.disabled = !has;
  }

  #close(): void {
    this.#target.open = false;
    this.#target.querySelector('summary')?.focus();
  }

  /** Writes the link to the address when there is no clipboard. */
  async #copyLink(): Promise<void> {
    const { language } = this.#model;
    const link = this.#model.link();
    const done = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    if (done !== true) history.replaceState(null, '', link);
    setText(this.#copy, language.text(done === true ? 'copied' : 'linkIs'));
    setTimeout(() => this.#update(), COPIED_MS);
  }

  async #save(
    ending: string,
    type: string,
    write: (positions: ExportedPositions) => string | Promise<string>,
  ): Promise<void> {
    const positions = this.#model.positions();
    if (positions === null) return;
    const address = URL.createObjectURL(new Blob([await write(positions)], { type }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${positions.name.replace(/[^\p{L}\p{N}]+/gu, '-')}-${this.#model.dayOf(positions.from)}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    this.#close();
  }
}
