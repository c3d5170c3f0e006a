import { awaitWrite, type Outcome } from '@smalt/controller-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { LeavingSide } from '../../migration/migration-side.ts';
import type { InstanceWriter } from '../status/instance-writer.ts';
import type { Pass } from './pass.ts';

export interface WritingPass extends Pick<Pass, 'before' | 'signal'> {
  readonly context: {
    readonly writer: Pick<InstanceWriter, 'write'>;
    readonly migrations: { readonly source: Pick<LeavingSide, 'onWritten'> };
  };
}

/** Writes what a pass has made of an instance; undefined when that went well, and when to look again if it did not. */
export async function writeInstance(
  { context, before, signal }: WritingPass,
  after: VirtualMachineInstance,
): Promise<Outcome | undefined> {
  const result = await context.writer.write(before, after, signal);
  if (result.kind === 'written') context.migrations.source.onWritten(result.instance);
  // Somebody else has changed it: the cache has that in a moment, which wakes this instance, and then it is decided anew.
  return result.kind === 'outdated' ? awaitWrite : undefined;
}
