// One possible completion of a word.
export interface Candidate {
  /** The complete word. */
  readonly value: string;
  readonly about: string;
}
