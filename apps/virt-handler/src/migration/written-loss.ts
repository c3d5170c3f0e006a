import type { VirtualMachineInstance } from '@smalt/vm-api';

import { failed } from '../sync/decide/verdict.ts';
import type { InstanceDirectories } from '../sync/end/instance-directories.ts';
import type { Fate } from './judge-fate.ts';

/** What a node has written down of its guests. */
export type GuestRecords = Pick<InstanceDirectories, 'read' | 'writeVerdict'>;

type LossKind = Extract<Fate, { readonly kind: 'lost' }>['why'];

const TEXTS: Readonly<Record<LossKind, string>> = {
  half: 'half of the guest was at the target already',
  outrun:
    'the guest may have run at the target before that lost its power, and have written to its disks. Here it would go on from before that, so it is ended',
};

/** Why a guest is ended that can go on nowhere. */
export function lossText(why: LossKind): string {
  return TEXTS[why];
}

/** Writes down why a guest can go on nowhere, before it is ended: one that is gone looks like one that has moved. */
export async function writeLoss(
  records: GuestRecords,
  instance: VirtualMachineInstance,
  reason: string,
): Promise<void> {
  await records.writeVerdict(instance, failed('LostInMigration', reason));
}

/** Why a guest of this node can go on nowhere; undefined when that was not written down. */
export async function readLoss(
  records: GuestRecords,
  { metadata }: VirtualMachineInstance,
): Promise<string | undefined> {
  const verdict = (await records.read(metadata.uid ?? ''))?.verdict;
  return verdict?.reason === 'LostInMigration' ? verdict.message : undefined;
}
