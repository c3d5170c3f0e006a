import { OpenFlowError } from '../openflow-error.ts';

/** How full a table is and how often it was asked. */
export interface TableStats {
  readonly table: number;
  readonly flows: number;
  readonly lookups: bigint;
  readonly matched: bigint;
}

const ENTRY_BYTES = 24;

/** Reads the tables of one part of an answer, in every version since 1.3. */
export function readTableStats(body: Buffer): readonly TableStats[] {
  if (body.length % ENTRY_BYTES !== 0) {
    throw new OpenFlowError('malformed', `${body.length} bytes of table statistics are no whole number of tables`);
  }
  const tables: TableStats[] = [];
  for (let at = 0; at < body.length; at += ENTRY_BYTES) {
    tables.push({
      table: body.readUInt8(at),
      flows: body.readUInt32BE(at + 4),
      lookups: body.readBigUInt64BE(at + 8),
      matched: body.readBigUInt64BE(at + 16),
    });
  }
  return tables;
}
