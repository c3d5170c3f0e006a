import { createLogger } from '@smalt/service-runtime';
import { describe, expect, it } from 'vitest';

import { HaServiceError } from '../../ha-service-error.ts';
import { Background } from './background.ts';

describe('Background', () => {
  it('runs one task of a name at a time', async () => {
    const { background } = bed();
    let runs = 0;
    const run = async (): Promise<void> => {
      runs += 1;
      await Promise.resolve();
    };

    background.start('contract n1', run);
    background.start('contract n1', run);
    background.start('contract n2', run);
    const count = background.count('contract ');
    await background.idle();

    expect([count, runs, background.count('contract ')]).toEqual([2, 2, 0]);
  });

  it('notes a task that fails, and nobody else is hurt', async () => {
    const { background, log } = bed();

    background.start('power n1', () => Promise.reject(new Error('no route')));
    await background.idle();

    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ task: 'power n1', error: 'no route' }]);
  });

  it('tells of a lost lead', async () => {
    const { background, lost } = bed();
    const error = new HaServiceError('lead-lost', 'another one leads');

    background.start('incident i1', () => Promise.reject(error));
    await background.idle();

    expect(lost).toEqual([error]);
  });

  it('begins nothing after the end, and does not call its own end a failure', async () => {
    const { background, log, stop } = bed();
    let hasBegun = false;
    background.start('incident i1', async (signal) => {
      await Promise.resolve();
      signal.throwIfAborted();
    });

    stop.abort(new Error('over'));
    background.start('incident i2', async () => void (hasBegun = true));
    await background.idle();

    expect([hasBegun, log]).toEqual([false, []]);
  });
});

function bed() {
  const log: string[] = [];
  const lost: unknown[] = [];
  const stop = new AbortController();
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(line) } });
  const background = new Background({
    logger,
    ignore: () => undefined,
    signal: stop.signal,
    onLeadLost: (error) => void lost.push(error),
  });
  return { background, log, lost, stop };
}
