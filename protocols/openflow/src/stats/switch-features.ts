import { Cursor } from '../wire/cursor.ts';

/** What a bridge says it is. */
export interface SwitchFeatures {
  readonly datapathId: bigint;
  readonly tables: number;
}

/** Reads a FEATURES_REPLY. */
export function readSwitchFeatures(body: Buffer): SwitchFeatures {
  const cursor = new Cursor(body);
  const datapathId = cursor.uint64();
  return { datapathId, tables: cursor.skip(4).uint8() };
}
