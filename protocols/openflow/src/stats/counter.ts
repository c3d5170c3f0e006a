const UNKNOWN = 0xffff_ffff_ffff_ffffn;

/** A counter, or undefined where the switch says by all ones that it does not know. */
export function readCounter(bytes: Buffer, at: number): bigint | undefined {
  const value = bytes.readBigUInt64BE(at);
  return value === UNKNOWN ? undefined : value;
}
