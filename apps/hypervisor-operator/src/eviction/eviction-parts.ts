import type { ComputeHost, MoveTarget } from '@smalt/compute';
import type { MoveAnswer } from '@smalt/eviction-plan';
import type { Eviction, Hypervisor } from '@smalt/fleet-api';

import type { OperatorContext } from '../operator-context.ts';
import type { OwnedStatus } from '../owned-status.ts';
import type { EvictionMetrics } from './eviction-metrics.ts';
import type { EvictionSettings } from './eviction-settings.ts';
import type { MoveLedger } from './move-ledger.ts';
import { TransferMeter } from './transfer-rate.ts';

export type EvictionContext = Pick<
  OperatorContext,
  'client' | 'hypervisors' | 'evictions' | 'compute' | 'recorder' | 'metrics' | 'logger' | 'ignore' | 'clock'
>;

/** What all looks at evictions share. */
export interface EvictionParts {
  readonly context: EvictionContext;
  readonly settings: EvictionSettings;
  readonly status: OwnedStatus<Eviction>;
  readonly ledger: MoveLedger;
  readonly metrics: EvictionMetrics;
  readonly notebook: Notebook;
}

/** One look at one eviction. */
export interface EvictionPass {
  readonly key: string;
  readonly eviction: Eviction;
  readonly hypervisor: Hypervisor;
  readonly notes: EvictionNotes;
  readonly signal: AbortSignal;
}

/** What is kept of an eviction between looks. All of it may be lost: it only saves calls and makes numbers better. */
export interface EvictionNotes {
  readonly uid: string | undefined;
  readonly meter: TransferMeter;
  /** How requests were answered, by instance, until they are made anew. */
  readonly answers: Map<string, MoveAnswer>;
  host?: { readonly at: number; readonly host: ComputeHost };
  targets?: { readonly at: number; readonly byInstance: ReadonlyMap<string, readonly MoveTarget[]> };
}

/** The notes on all evictions. */
export class Notebook {
  readonly #notes = new Map<string, EvictionNotes>();

  /** The notes on this very object; one that was made anew begins with none. */
  on(key: string, { metadata: { uid } }: Eviction): EvictionNotes {
    const known = this.#notes.get(key);
    if (known !== undefined && known.uid === uid) return known;
    const notes = { uid, meter: new TransferMeter(), answers: new Map() };
    this.#notes.set(key, notes);
    return notes;
  }

  forget(key: string): void {
    this.#notes.delete(key);
  }
}
