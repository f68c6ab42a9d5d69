// Reads headers such as Accept and Accept-Encoding: values with their quality.

export interface QualityValue {
  /** Lower case, without parameters. */
  readonly value: string;
  /** 1 by default, 0 when not a number. */
  readonly quality: number;
}

export function parseQualityValues(header: string | undefined): readonly QualityValue[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { value, quality: quality === undefined ? 1 : Number(quality) || 0 };
    });
}
