import type { Refusal, Verdict } from '@smalt/failure-detection';

import type { ToldRefusal } from '../../ports/engine-view.ts';
import { JournalKind, type JournalEntry } from '../../ports/incident-store.ts';

/** Which refusals have been told: each is told once, and again only when the brake is another one. */
export class RefusalLog {
  #told: ReadonlyMap<string, ToldRefusal> = new Map();

  /** The refusals that hold now, by host. */
  get current(): ReadonlyMap<string, ToldRefusal> {
    return this.#told;
  }

  /** The lines to be told, and what to remember once they are stored. */
  compare(
    verdicts: readonly Verdict[],
    at: number,
  ): { readonly entries: readonly JournalEntry[]; readonly keep: () => void } {
    const next = new Map<string, ToldRefusal>();
    const entries: JournalEntry[] = [];
    for (const verdict of verdicts) {
      if (verdict.kind !== 'refuse') continue;
      const { host, refusal, judgement } = verdict;
      const old = this.#told.get(host);
      const isOld = old?.brake === refusal.brake;
      next.set(host, { ...refusal, at: isOld ? old.at : at });
      if (!isOld) entries.push(entryOf(host, refusal, judgement.by, at));
    }
    return { entries, keep: () => void (this.#told = next) };
  }
}

function entryOf(host: string, { brake, message }: Refusal, by: readonly string[], at: number): JournalEntry {
  return {
    at,
    kind: JournalKind.refusal,
    severity: 'warning',
    host,
    incidentId: undefined,
    instanceId: undefined,
    message: `${host} is condemned by ${by.join(', ')}, and nothing is done about it (${brake}): ${message}`,
    by: undefined,
  };
}
