/** The version that libvirt packs into one number: `8001002` is `8.1.2`. */
export function formatVersion(packed: bigint | number): string {
  const number = BigInt(packed);
  return `${number / 1_000_000n}.${(number / 1000n) % 1000n}.${number % 1000n}`;
}
