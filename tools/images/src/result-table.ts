import type { BuiltImage } from './build-images.ts';

/** What was made, for people: sizes in millions of bytes. */
export function resultTable(images: readonly BuiltImage[]): string {
  const rows = images.map(({ name, compressedBytes, unpackedBytes, digest, path }) => [
    name,
    megabytes(compressedBytes),
    megabytes(unpackedBytes),
    digest,
    path,
  ]);
  const all = [['image', 'MB', 'unpacked', 'digest', 'file'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
