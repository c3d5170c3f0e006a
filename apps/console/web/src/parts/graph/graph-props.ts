interface GraphSeries {
  readonly label: string;
  /** One for each time; null is a gap. */
  readonly values: readonly (number | null)[];
}

export interface GraphProps {
  readonly title: string;
  /** Milliseconds since 1970, rising. */
  readonly times: readonly number[];
  readonly series: readonly GraphSeries[];
  /** A value in words, such as `12 %`. The same function at each drawing. */
  readonly format: (value: number) => string;
  /** The top of the scale, where there is one; without it the highest value. */
  readonly most?: number | undefined;
  /** The top of the scale when all values are lower, so that noise does not look like a mountain. */
  readonly least?: number;
  /** Whether values are bytes, whose round numbers are powers of two. */
  readonly isBytes?: boolean;
}

export const GRAPH_HEIGHT_PX = 150;
