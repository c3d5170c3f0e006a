import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  /** The heading, and the name of the value where rows are cards. */
  readonly label: string;
  /** A track of a CSS grid, such as `minmax(8rem, 2fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** A column without it cannot be sorted by. */
  readonly sortValue?: (row: Row) => string | number;
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean;
}

export interface Sorting {
  readonly columnId: string;
  readonly isDescending: boolean;
}

/** The selected rows by key, where rows can be selected. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}
