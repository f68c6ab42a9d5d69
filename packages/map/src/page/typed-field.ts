// A native field whose value may be typed. A half-typed date is not a value.

/** Pause after the last keystroke before the value is used. */
const TYPING_MS = 800;

export class TypedField {
  readonly #field: HTMLInputElement | HTMLSelectElement;
  readonly #use: (value: string) => void;
  /** Value to show while the user does not edit. */
  #shown = '';
  /** Value when last written or used. */
  #lastValue = '';
  /** True during an edit, until the value is used or the field is left. */
  #isInUse = false;
  #isTyped = false;
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** `use`: called with a new value; empty only for the empty entry of a select. */
  constructor(field: HTMLInputElement | HTMLSelectElement, use: (value: string) => void) {
    this.#field = field;
    this.#use = use;
    this.#listen();
  }

  /** Writes only changes, because a write makes the browser discard typed digits. */
  show(value: string): void {
    const isOther = value !== this.#shown;
    this.#shown = value;
    if (isOther && !this.#isInUse) this.#write();
  }

  /** Uses a picked value at once, and a typed one after a pause, on Enter or on blur. */
  #listen(): void {
    this.#field.addEventListener('pointerdown', () => {
      this.#isInUse = true;
      this.#isTyped = false;
    });
    this.#field.addEventListener('keydown', (event) => {
      // `instanceof` narrows the event's type.
      if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'Enter' && this.#hasValue) this.#end();
      else if (event.key !== 'Tab') {
        this.#isInUse = true;
        this.#isTyped = true;
      }
    });
    this.#field.addEventListener('change', () => {
      clearTimeout(this.#typing);
      if (this.#isTyped) this.#typing = setTimeout(() => this.#take(), TYPING_MS);
      else this.#take();
    });
    this.#field.addEventListener('blur', () => this.#end());
  }

  get #hasValue(): boolean {
    return this.#field.value !== '' || this.#field instanceof HTMLSelectElement;
  }

  #take(): void {
    clearTimeout(this.#typing);
    const { value } = this.#field;
    if (!this.#hasValue || value === this.#lastValue) return;
    this.#lastValue = value;
    this.#use(value);
    // A refused value stays in the field, because the next digit may correct it.
    this.#isInUse = this.#shown !== value;
  }

  #end(): void {
    this.#take();
    this.#isInUse = false;
    this.#write();
  }

  #write(): void {
    if (this.#field.value !== this.#shown) this.#field.value = this.#shown;
    this.#lastValue = this.#field.value;
  }
}
