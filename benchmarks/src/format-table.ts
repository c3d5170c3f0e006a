/** Rows of text under a title. Every row has as many cells as there are columns. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The table as lines: the first column to the left, the others to the right. */
export function formatTable(table: Table): string {
  const lines = [table.columns, ...table.rows];
  const widths = table.columns.map((_, column) => Math.max(...lines.map((cells) => width(cells[column] ?? ''))));
  const formatted = lines.map((cells) => formatLine(cells, widths));
  const rule = widths.map((size) => '─'.repeat(size)).join('  ');
  return [table.title, formatted[0], rule, ...formatted.slice(1)].join('\n');
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return widths
    .map((size, column) => {
      const cell = cells[column] ?? '';
      const padding = ' '.repeat(size - width(cell));
      return column === 0 ? cell + padding : padding + cell;
    })
    .join('  ')
    .trimEnd();
}

function width(text: string): number {
  // Counted in code points: the text has signs like × and µ, but nothing wider than one column.
  return Array.from(text).length;
}
