// A possible completion of a word.
export interface Candidate {
  readonly value: string;
  readonly about: string;
}
