import type { FatName } from './fat-names.ts';

/** Fixed, so that images of the same files are the same: 1980-01-01. */
const DATE = (1 << 5) | 1;
const RECORD_BYTES = 32;
const LONG_NAME = 0x0f;
const UNITS_PER_RECORD = 13;
/** Where a record keeps its thirteen units of a long name. */
const UNIT_OFFSETS = [1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30] as const;

export const ATTRIBUTE = { volumeLabel: 0x08, directory: 0x10, file: 0x20 } as const;

export interface FatEntry {
  readonly name: FatName;
  readonly attributes: number;
  readonly firstCluster: number;
  readonly sizeBytes: number;
}

/** The records of an entry: those of its long name from the end, then its own. */
export function fatRecords({ name, attributes, firstCluster, sizeBytes }: FatEntry): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  name.short.copy(record, 0);
  record[11] = attributes;
  record.writeUInt16LE(DATE, 16);
  record.writeUInt16LE(DATE, 18);
  record.writeUInt16LE(DATE, 24);
  record.writeUInt16LE(firstCluster, 26);
  record.writeUInt32LE(sizeBytes, 28);
  return Buffer.concat([...(name.long === undefined ? [] : longRecords(name.long, checksum(name.short))), record]);
}

/** How many bytes the records of an entry take. */
export function fatRecordsBytes({ long }: FatName): number {
  return RECORD_BYTES * (1 + (long === undefined ? 0 : Math.ceil(long.length / UNITS_PER_RECORD)));
}

function longRecords(name: string, sum: number): readonly Buffer[] {
  const count = Math.ceil(name.length / UNITS_PER_RECORD);
  return Array.from({ length: count }, (_, position) => {
    const part = count - 1 - position;
    const record = Buffer.alloc(RECORD_BYTES);
    record[0] = (part + 1) | (position === 0 ? 0x40 : 0);
    record[11] = LONG_NAME;
    record[13] = sum;
    for (const [at, offset] of UNIT_OFFSETS.entries()) {
      const index = part * UNITS_PER_RECORD + at;
      // A zero ends the name where there is room for one; all ones fill the rest.
      const unit = index < name.length ? name.charCodeAt(index) : index === name.length ? 0 : 0xff_ff;
      record.writeUInt16LE(unit, offset);
    }
    return record;
  });
}

/** Ties a long name to the short one that it stands before. */
function checksum(short: Buffer): number {
  return short.reduce((sum, byte) => (((sum & 1) << 7) + (sum >> 1) + byte) & 0xff, 0);
}
