import type { KdumpSettings } from './kdump-settings.ts';

interface Window {
  readonly since: number;
  readonly until: number;
}

type WindowSettings = Pick<KdumpSettings, 'windowMs' | 'maximumMs'>;

/**
 * Until when hosts are held back because they write a kernel dump. Messages in a row hold a host back no longer than
 * `maximumMs` in all, and a new row begins only when the last one has been over for as long: by then a host that is dead
 * was recovered, whoever sends messages in its name.
 */
export class KdumpWindows {
  readonly #windows = new Map<string, Window>();

  hear(host: string, now: number, { windowMs, maximumMs }: WindowSettings): void {
    const last = this.#windows.get(host);
    const since = last === undefined || now - last.until > maximumMs ? now : last.since;
    const until = Math.min(now + windowMs, since + maximumMs);
    this.#windows.set(host, { since, until: Math.max(until, last?.since === since ? last.until : until) });
  }

  untilOf(host: string): number | undefined {
    return this.#windows.get(host)?.until;
  }

  /** Forgets rows that are over for good. */
  forget(now: number, { maximumMs }: WindowSettings): void {
    for (const [host, { until }] of this.#windows) if (now - until > maximumMs) this.#windows.delete(host);
  }
}
