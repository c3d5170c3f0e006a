import { printableText } from '../printable-text.ts';
import { table } from '../table.ts';
import type { OutputFormat } from './command-flags.ts';

/** What a command lists: for people in columns, for programs as it is. */
export interface Listing {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What is printed instead of a table without rows. */
  readonly empty: string;
  readonly value: unknown;
}

/** The text of a list in the format that was asked for, with a line feed at its end. */
export async function listText({ columns, rows, empty, value }: Listing, format: OutputFormat): Promise<string> {
  switch (format) {
    case 'table':
      return `${rows.length === 0 ? empty : table([columns, ...rows.map((row) => row.map(printableText))])}\n`;
    case 'json':
      return `${JSON.stringify(value, undefined, 2)}\n`;
    case 'yaml': {
      // Loaded for those alone who ask for it.
      const { stringify } = await import('yaml');
      return stringify(value);
    }
  }
}
