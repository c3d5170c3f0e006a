import { StorageVolDownloadFlags, StorageVolUploadFlags } from '../generated/constants.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { StreamProcedure } from '../procedure.ts';

/** Whether a call asks for a stream with holes. A daemon that gets a hole it was not told of ends the connection. */
export function isSparseStream<Args>(procedure: StreamProcedure<Args, unknown>, args: Args): boolean {
  const flag = sparseFlag(procedure.name);
  if (flag === undefined || typeof args !== 'object' || args === null || !('flags' in args)) return false;
  return typeof args.flags === 'number' && (args.flags & flag) !== 0;
}

function sparseFlag(name: string): number | undefined {
  if (name === procedures.storageVolUpload.name) return StorageVolUploadFlags.sparseStream;
  if (name === procedures.storageVolDownload.name) return StorageVolDownloadFlags.sparseStream;
  return undefined;
}
