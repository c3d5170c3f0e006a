/** How many bytes a run of `size` bytes takes with the zeros that fill its last word. */
export function padded(size: number): number {
  // Not `(size + 3) & ~3`: a size over 2^31 would wrap to a small or negative number.
  return size + (-size & 3);
}
