import { MigrationPhase, type VirtualMachineInstanceMigration } from '@smalt/vm-api';

import type { ObservedPod } from '../instance/launcher-pod-state.ts';

/** For how long a migration has been seen as it is now. */
export interface MigrationSighting {
  readonly phaseMs: number;
  /** 0 where there is no target pod. */
  readonly targetPodMs: number;
}

interface Since {
  readonly text: string;
  readonly at: number;
}

/**
 * Since when migrations have been seen in their phase, and their target pods have been seen, by a steady clock of
 * whoever looks. The times in objects are those of other clocks, which may be off by any amount or be set. One that is seen for the
 * first time has all its time before it.
 */
export class MigrationSightings {
  readonly #phases = new Map<string, Since>();
  readonly #pods = new Map<string, Since>();

  /** Notes what a migration shows now; the key is that of its name. */
  note(
    key: string,
    { metadata, status }: VirtualMachineInstanceMigration,
    targetPod: ObservedPod | undefined,
    now: number,
  ): MigrationSighting {
    const phase = `${metadata.uid ?? ''} ${status?.phase ?? MigrationPhase.unset}`;
    return {
      phaseMs: now - since(this.#phases, key, phase, now),
      targetPodMs: targetPod === undefined ? 0 : now - since(this.#pods, key, targetPod.metadata.uid ?? '', now),
    };
  }

  /** Those that are gone need not be remembered. */
  forget(key: string): void {
    this.#phases.delete(key);
    this.#pods.delete(key);
  }
}

function since(known: Map<string, Since>, key: string, text: string, now: number): number {
  const before = known.get(key);
  if (before?.text === text) return before.at;
  known.set(key, { text, at: now });
  return now;
}
