import { messageOf, type Logger } from '@smalt/service-runtime';
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
  /** Whether nobody can have begun the migration before, so that nothing is written down of it. */
  readonly isFresh: boolean;
}

/**
 * Why a guest can go on nowhere after its migration. An earlier handler may have written that down, so it is read, once: nobody else writes
 * it meanwhile. What was decided here holds also while it cannot be written down.
 */
export class GuestLoss {
  readonly #options: LossWriting;
  #isRead: boolean;
  #isWritten = false;
  #reason: string | undefined;

  constructor(options: LossWriting) {
    this.#options = options;
    this.#isRead = options.isFresh;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** Undefined when nothing is known of this migration that speaks against the guest. */
  get reason(): string | undefined {
    return this.#reason;
  }

  async read(): Promise<void> {
    const { directories, instance } = this.#options;
    const verdict = (await directories.read(instance.metadata.uid ?? ''))?.verdict;
    if (verdict?.reason === 'LostInMigration' && isAbout(verdict, instance)) {
      this.#reason = verdict.message;
      this.#isWritten = true;
    }
    this.#isRead = true;
  }

  /** To be written down before the guest is ended. */
  decide(reason: string): void {
    this.#reason = reason;
  }

  /**
   * Writes it down: a guest that is gone looks like one that has moved. Where nothing is written down of it at all, that is said in the
   * log, and it is ended all the same.
   */
  async write(): Promise<void> {
    if (this.#isWritten || this.#reason === undefined) return;
    const { directories, instance, logger } = this.#options;
    const reason = this.#reason;
    const migrationUid = instance.status?.migrationState?.migrationUid;
    const verdict = { ...failed('LostInMigration', reason), ...(migrationUid === undefined ? {} : { migrationUid }) };
    if (!(await directories.writeVerdict(instance, verdict))) {
      const { name } = instance.metadata;
      logger.warn({ instance: name, reason }, 'a guest is ended after its migration that this node has no record of');
    }
    this.#isWritten = true;
  }
}

/** What went wrong with a file, in the same words each time: its name may be that of a draft, which is another one each time. */
export function fileProblem(error: unknown): string {
  const [what = ''] =
    error instanceof Error && 'syscall' in error ? error.message.split(`, ${String(error.syscall)}`) : [];
  return what === '' ? messageOf(error) : what;
}
