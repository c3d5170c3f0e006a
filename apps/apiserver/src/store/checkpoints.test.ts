import { expect, it } from 'vitest';

import { Checkpoints } from './checkpoints.ts';

it('leaves a short log alone', async () => {
  const log = fakeLog(249);
  using checkpoints = new Checkpoints(log, fail);

  checkpoints.committed();
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(log.moved).toEqual([]);
});

it('moves a log of some length when nothing is written for a moment, and once', async () => {
  const log = fakeLog(250);
  using checkpoints = new Checkpoints(log, fail);

  checkpoints.committed();
  checkpoints.committed();

  expect(log.moved).toEqual([]);
  await expect.poll(() => log.moved).toEqual([250]);
});

it('does not wait for a pause when the log gets long, and still not within the commit', async () => {
  const log = fakeLog(1999);
  using checkpoints = new Checkpoints(log, fail);
  checkpoints.committed();
  log.logPages = 2000;

  checkpoints.committed();
  const within = [...log.moved];
  await new Promise((resolve) => setImmediate(resolve));

  expect({ within, after: log.moved }).toEqual({ within: [], after: [2000] });
});

it('tells what went wrong, and tries again later', async () => {
  const errors: unknown[] = [];
  const log = fakeLog(250, new Error('database or disk is full'));
  using checkpoints = new Checkpoints(log, (error) => errors.push(error));

  checkpoints.committed();
  await expect.poll(() => errors.length).toBe(1);
  log.logPages = 250;
  checkpoints.committed();

  await expect.poll(() => errors.length).toBe(2);
});

it('does nothing any more once it is disposed of', async () => {
  const log = fakeLog(2000);
  const checkpoints = new Checkpoints(log, fail);
  checkpoints.committed();

  checkpoints[Symbol.dispose]();
  await new Promise((resolve) => setImmediate(resolve));

  expect(log.moved).toEqual([]);
});

function fail(error: unknown): void {
  throw error;
}

function fakeLog(pages: number, error?: Error): { logPages: number; readonly moved: number[]; checkpoint(): void } {
  const moved: number[] = [];
  return {
    logPages: pages,
    moved,
    checkpoint() {
      if (error === undefined) moved.push(this.logPages);
      this.logPages = 0;
      if (error !== undefined) throw error;
    },
  };
}
