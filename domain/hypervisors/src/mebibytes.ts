const BYTES_PER_MEBIBYTE = 1_048_576n;

/** That many MiB in bytes. */
export function mebibytes(count: number): bigint {
  return BigInt(count) * BYTES_PER_MEBIBYTE;
}
