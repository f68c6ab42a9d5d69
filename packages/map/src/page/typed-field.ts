// A native field whose value can be typed: a date or a time has several digits, and a half-typed one is no value.

/** Nothing is done for each digit. */
const TYPING_MS = 800;

export class TypedField {
  readonly #field: HTMLInputElement | HTMLSelectElement;
  readonly #use: (value: string) => void;
  /** What the field shows while nobody changes it. */
  #shown = '';
  /** What the field had when it was last written or taken. */
  #known = '';
  /** Somebody changes the value: until it is taken, or the field is left. */
  #isInUse = false;
  #isTyped = false;
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** `use`: takes another value. It is empty only for the empty entry of a select. */
  constructor(field: HTMLInputElement | HTMLSelectElement, use: (value: string) => void) {
    this.#field = field;
    this.#use = use;
    this.#listen();
  }

  /** A browser forgets what has been typed when the field is written, even with what it has. */
  show(value: string): void {
    const isOther = value !== this.#shown;
    this.#shown = value;
    if (isOther && !this.#isInUse) this.#write();
  }

  /** A value that is picked is taken at once; one that is typed after a pause, or with Enter, or when the field is left. */
  #listen(): void {
    this.#field.addEventListener('pointerdown', () => {
      this.#isInUse = true;
      this.#isTyped = false;
    });
    this.#field.addEventListener('keydown', (event) => {
      // `instanceof` tells the types which kind of event this is.
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
    if (!this.#hasValue || value === this.#known) return;
    this.#known = value;
    this.#use(value);
    // Where the value cannot be had, the next digit may change that.
    this.#isInUse = this.#shown !== value;
  }

  #end(): void {
    this.#take();
    this.#isInUse = false;
    this.#write();
  }

  #write(): void {
    if (this.#field.value !== this.#shown) this.#field.value = this.#shown;
    this.#known = this.#field.value;
  }
}
