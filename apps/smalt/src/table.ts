/** Lays rows out in columns: each cell padded to the widest of its column, no trailing blanks. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<readonly number[]>(
    (known, row) =>
      Array.from({ length: Math.max(known.length, row.length) }, (_, i) =>
        Math.max(known[i] ?? 0, row[i]?.length ?? 0),
      ),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
