// On a small screen, list and panel are a sheet over the map: closed, half or full.
import { find } from './dom.js';
import { type SheetState, sheetStates, stateAfterDrag } from './sheet-state.js';
import type { Language } from './words/language.js';
import type { WordKey } from './words/words.js';

const actions: Readonly<Record<SheetState, WordKey>> = { closed: 'sheetOpen', half: 'sheetFull', full: 'sheetClose' };

/** Same as in the style sheet. On a lower screen the page scrolls and nothing overlaps. */
const SMALL = '(width <= 720px) and (height > 520px)';
/** A shorter move is a click. */
const LEAST_DRAG = 6;
/** Duration before the release that determines the speed. */
const SPEED_MS = 80;

export class Sheet {
  readonly #target = find('sheet', HTMLElement);
  readonly #handle = find('sheet-handle', HTMLButtonElement);
  readonly #time = find('time', HTMLElement);
  readonly #language: Language;
  readonly #small = window.matchMedia(SMALL);
  readonly #onCover: (pixels: number) => void;
  #state: SheetState = 'half';
  #isDragged = false;

  /** `onCover`: height of the map that the sheet covers. */
  constructor(language: Language, onCover: (pixels: number) => void) {
    this.#language = language;
    this.#onCover = onCover;
    this.#handle.addEventListener('click', () => {
      if (!this.#isDragged)
        this.#set(sheetStates[(sheetStates.indexOf(this.#state) + 1) % sheetStates.length] ?? 'half');
      this.#isDragged = false;
    });
    this.#handle.addEventListener('keydown', (event) => this.#onKey(event));
    this.#handle.addEventListener('pointerdown', (event) => this.#drag(event));
    this.#small.addEventListener('change', () => this.#show());
    const observer = new ResizeObserver(() => this.#measure());
    for (const element of [this.#target, this.#time]) observer.observe(element);
    this.#show();
  }

  reveal(): void {
    this.#set('half');
  }

  uncover(): void {
    if (this.#small.matches && this.#state === 'full') this.#set('half');
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#set(sheetStates[Math.max(0, Math.min(2, sheetStates.indexOf(this.#state) + step))] ?? 'half');
  }

  #drag({ pointerId, clientY: start, timeStamp }: PointerEvent): void {
    let recent = [{ y: start, at: timeStamp }];
    const before = this.#target.offsetHeight;
    const most = this.#most;
    this.#handle.setPointerCapture(pointerId);
    const heightAt = (y: number) => Math.max(this.#handle.offsetHeight, Math.min(most, before + start - y));
    const move = ({ clientY, timeStamp: at }: PointerEvent) => {
      recent = [...recent.filter((one) => at - one.at < SPEED_MS), { y: clientY, at }];
      if (Math.abs(clientY - start) > LEAST_DRAG) this.#isDragged = true;
      if (this.#isDragged) this.#target.style.height = `${heightAt(clientY)}px`;
    };
    const end = ({ type, clientY, timeStamp: at }: PointerEvent) => {
      this.#handle.removeEventListener('pointermove', move);
      for (const each of ['pointerup', 'pointercancel'] as const) this.#handle.removeEventListener(each, end);
      this.#target.style.removeProperty('height');
      const part = heightAt(clientY) / Math.max(1, most);
      // A pointer that rests before the release is not a flick.
      const [first = { y: clientY, at }] = recent.filter((one) => at - one.at < SPEED_MS);
      const speed = type === 'pointerup' ? (first.y - clientY) / Math.max(1, at - first.at) : 0;
      if (this.#isDragged) this.#set(stateAfterDrag(this.#state, part, speed));
    };
    this.#isDragged = false;
    this.#handle.addEventListener('pointermove', move);
    for (const type of ['pointerup', 'pointercancel'] as const) this.#handle.addEventListener(type, end);
  }

  get #most(): number {
    return find('map', HTMLElement).offsetHeight;
  }

  #set(state: SheetState): void {
    this.#state = state;
    this.#show();
  }

  #show(): void {
    const isSmall = this.#small.matches;
    this.#target.dataset.state = this.#state;
    this.#handle.setAttribute('aria-expanded', String(this.#state !== 'closed'));
    this.#handle.setAttribute('aria-label', this.#language.text(actions[this.#state]));
    // Covered elements must not have the focus.
    const isCovered = isSmall && this.#state === 'full';
    for (const id of ['map', 'map-buttons', 'edge', 'heap']) find(id, HTMLElement).inert = isCovered;
    this.#measure();
  }

  #measure(): void {
    const { style } = document.documentElement;
    style.setProperty('--below', `${this.#time.getBoundingClientRect().height}px`);
    const covered = this.#small.matches ? this.#target.getBoundingClientRect().height : 0;
    style.setProperty('--covered', `${covered}px`);
    this.#onCover(covered);
  }
}
