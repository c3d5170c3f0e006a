import { startPostgres } from '@smalt/bed-postgres';
import { parseLocation } from '@smalt/store';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';

import { batch, startPushBed, type PushBed } from './fixtures/push-bed.ts';

describe('what agents push', { timeout: 60_000 }, () => {
  it('is taken from thousands of them at the same time, each number once', async () => {
    const nodes = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
    await using bed = await startPushBed();
    bed.configure({
      tokensFile: await bed.writeTokens(Object.fromEntries(nodes.map((node) => [`word-of-${node}`, node]))),
    });
    await using line = new Line(bed, 50);

    const statuses = await Promise.all(nodes.map((node) => line.push(node, 1, 2)));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await bed.store.telemetry.events(undefined, 10_000, inTime())).length).toBe(4_000);
    const { signals } = await bed.store.signals.changes(undefined, inTime());
    expect(signals.filter(({ source }) => source === 'agent')).toHaveLength(2_000);
  });

  it('is there once and whole when it was acknowledged, although PostgreSQL is killed in between', async () => {
    await using postgres = await startPostgres();
    await using bed = await startPushBed({ location: parseLocation(postgres.url) });
    bed.configure({
      tokensFile: await bed.writeTokens({ 'word-of-n1': 'n1', 'word-of-n2': 'n2', 'word-of-n3': 'n3' }),
    });
    await using line = new Line(bed, 10);
    const stop = new AbortController();
    const seen: number[] = [];
    const agents = ['n1', 'n2', 'n3'].map((node) => pushUntil(line, node, seen, stop.signal));

    await expect.poll(() => seen.filter((status) => status === 200).length, { timeout: 10_000 }).toBeGreaterThan(30);
    await postgres.kill();
    await expect.poll(() => seen, { timeout: 30_000 }).toContain(503);
    await postgres.restart();
    const before = seen.length;
    await expect
      .poll(() => seen.slice(before).filter((status) => status === 200).length, { timeout: 30_000 })
      .toBeGreaterThan(30);
    stop.abort();
    const acknowledged = await Promise.all(agents);

    const events = await bed.store.telemetry.events(undefined, 100_000, inTime());
    for (const { node, last } of acknowledged) {
      const numbers = events.filter(({ host }) => host === node).length;
      // The last one may have been stored without an answer.
      expect(numbers - last).toBeGreaterThanOrEqual(0);
      expect(numbers - last).toBeLessThanOrEqual(1);
    }
  });
});

/** Connections that many agents share, which only a test does. */
class Line implements AsyncDisposable {
  readonly #url: string;
  readonly #dispatcher: Agent;

  constructor({ port, authorityText: ca }: PushBed, connections: number) {
    this.#url = `https://127.0.0.1:${port}`;
    this.#dispatcher = new Agent({ connect: { ca, timeout: 50_000 }, connections, pipelining: 1 });
  }

  async push(node: string, first: number, last: number): Promise<number> {
    const answer = await request(`${this.#url}/api/v1/nodes/${node}/telemetry`, {
      method: 'POST',
      dispatcher: this.#dispatcher,
      headers: { authorization: `Bearer word-of-${node}` },
      body: JSON.stringify(batch(node, first, last)),
    });
    await answer.body.dump();
    return answer.statusCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.close();
  }
}

/** Sends the next number when the one before is acknowledged, and the same one again when it is not. */
async function pushUntil(line: Line, node: string, seen: number[], signal: AbortSignal) {
  let next = 1;
  while (!signal.aborted) {
    const status = await line.push(node, next, next);
    seen.push(status);
    if (status === 200) next++;
    // Whoever is sent away waits a moment, as agents do.
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { node, last: next - 1 };
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(20_000);
}
