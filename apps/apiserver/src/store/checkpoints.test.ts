import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Checkpoints } from './checkpoints.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] }));

afterEach(() => void vi.useRealTimers());

it('leaves a short log alone', () => {
  const log = fakeLog(249);
  using checkpoints = new Checkpoints(log, fail);

  checkpoints.committed();
  vi.advanceTimersByTime(60_000);

  expect(log.moved).toEqual([]);
});

it('moves a log of some length when nothing is written for a moment, and once', () => {
  const log = fakeLog(250);
  using checkpoints = new Checkpoints(log, fail);

  checkpoints.committed();
  vi.advanceTimersByTime(4);
  checkpoints.committed();
  vi.advanceTimersByTime(4);
  const meanwhile = [...log.moved];
  vi.advanceTimersByTime(60_000);

  expect({ meanwhile, after: log.moved }).toEqual({ meanwhile: [], after: [250] });
});

it('does not wait for a pause when the log gets long, and still not within the commit', () => {
  const log = fakeLog(1999);
  using checkpoints = new Checkpoints(log, fail);
  checkpoints.committed();
  log.logPages = 2000;

  checkpoints.committed();
  const within = [...log.moved];
  vi.advanceTimersByTime(0);

  expect({ within, after: log.moved }).toEqual({ within: [], after: [2000] });
});

it('tells what went wrong, and tries again later', () => {
  const errors: unknown[] = [];
  const log = fakeLog(250, new Error('database or disk is full'));
  using checkpoints = new Checkpoints(log, (error) => errors.push(error));

  checkpoints.committed();
  vi.advanceTimersByTime(5);
  const before = errors.length;
  log.logPages = 250;
  checkpoints.committed();
  vi.advanceTimersByTime(5);

  expect([before, errors.length]).toEqual([1, 2]);
});

it('does nothing any more once it is disposed of', () => {
  const log = fakeLog(2000);
  const checkpoints = new Checkpoints(log, fail);
  checkpoints.committed();

  checkpoints[Symbol.dispose]();
  vi.advanceTimersByTime(60_000);

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
