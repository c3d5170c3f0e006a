import type { Logger } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { failed, isAbout } from '../sync/decide/verdict.ts';
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

interface LossWriting {
  readonly directories: GuestRecords;
  readonly instance: VirtualMachineInstance;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Writes down why a guest can go on nowhere after its migration, before it is ended: one that is gone looks like one that has moved. Where
 * nothing is written down of it at all, that is said in the log, and it is ended all the same.
 */
export async function writeLoss({ directories, instance, logger }: LossWriting, reason: string): Promise<void> {
  const migrationUid = instance.status?.migrationState?.migrationUid;
  const verdict = { ...failed('LostInMigration', reason), ...(migrationUid === undefined ? {} : { migrationUid }) };
  if (await directories.writeVerdict(instance, verdict)) return;
  const { name } = instance.metadata;
  logger.warn({ instance: name, reason }, 'a guest is ended after its migration that this node has no record of');
}

/** Why a guest of this node can go on nowhere after its migration; undefined when that was not written down of this one. */
export async function readLoss(records: GuestRecords, instance: VirtualMachineInstance): Promise<string | undefined> {
  const verdict = (await records.read(instance.metadata.uid ?? ''))?.verdict;
  return verdict?.reason === 'LostInMigration' && isAbout(verdict, instance) ? verdict.message : undefined;
}
