import { ComputeError } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { decideSmokeTest, judgeConsole, type SmokeTestFacts, type WatchedInstance } from './decide-smoke-test.ts';
import { defaultOnboardingSettings as settings } from './onboarding-settings.ts';

const NAME = 'ohooc--node1-uid';
const NOW = Date.parse('2026-01-01T12:00:00Z');

describe('the test instance', () => {
  it.each([
    { title: 'is started when there is none', instances: [], step: { kind: 'start' } },
    {
      title: 'may take its time to build',
      instances: [building({ minutesAgo: 10 })],
      step: { kind: 'wait', afterMs: 5_000 },
    },
    {
      title: 'is waited for when it was not seen for long, whatever time the compute system has',
      instances: [{ ...building({ minutesAgo: 60 }), watchedMs: 0 }],
      step: { kind: 'wait', afterMs: 5_000 },
    },
    {
      title: 'has failed when it was seen for long, whatever time the compute system has',
      instances: [{ ...building({}), watchedMs: 600_001 }],
      step: { kind: 'fail', message: 'timeout waiting for the test instance to run, it is building' },
    },
    {
      title: 'has failed when it takes longer',
      instances: [building({ minutesAgo: 10.1 })],
      step: {
        kind: 'fail',
        message: 'timeout waiting for the test instance to run since 2026-01-01T11:49:54.000Z, it is building',
      },
    },
    {
      title: 'has failed when it does not run by then, whatever it does instead',
      instances: [{ ...building({ minutesAgo: 11 }), state: 'stopped' as const }],
      step: { kind: 'fail' },
    },
    {
      title: 'has failed with a fault',
      instances: [{ ...building({}), state: 'failed' as const, fault: 'no memory' }],
      step: { kind: 'fail', message: 'Server ended up in error state: no memory' },
    },
    {
      title: 'has failed without one',
      instances: [{ ...building({}), state: 'failed' as const }],
      step: { kind: 'fail', message: 'Server ended up in error state: no reason was given' },
    },
    {
      title: 'is judged by its console when it runs, however long it took',
      instances: [{ ...building({ minutesAgo: 60 }), state: 'running' as const }],
      step: { kind: 'read-console' },
    },
    {
      title: 'is waited for while it goes',
      instances: [{ ...building({ minutesAgo: 60 }), state: 'deleting' as const }],
      step: { kind: 'wait', afterMs: 5_000 },
    },
  ])('$title', ({ instances, step }) => {
    expect(decide({ instances })).toMatchObject({ step, leftovers: [] });
  });

  it('is only removed when its failure has been counted', () => {
    const failed = { ...building({}), state: 'failed' as const };

    const { step } = decide({ instances: [failed], smokeTest: { failures: 1, instanceId: failed.id } });

    expect(step).toEqual({ kind: 'discard', instance: failed });
  });

  it.each([
    {
      title: 'waits for the rest of a minute after a failure',
      failedAt: '2026-01-01T11:59:20Z',
      step: { kind: 'wait', afterMs: 20_000 },
    },
    { title: 'is due a minute after a failure', failedAt: '2026-01-01T11:59:00Z', step: { kind: 'start' } },
    { title: 'is due when the failure lies in the future', failedAt: '2026-01-01T18:00:00Z', step: { kind: 'start' } },
  ])('$title', ({ failedAt, step }) => {
    expect(decide({ smokeTest: { failures: 1, failedAt } }).step).toEqual(step);
  });

  it('is not started again while one that was asked for may be on its way', () => {
    expect(decide({ startAgeMs: 1_000 }).step).toEqual({ kind: 'hold', afterMs: 4_000 });
    expect(decide({ startAgeMs: 5_000 }).step).toEqual({ kind: 'start' });
  });

  it('is the oldest of two that were started; the other one goes, like those of earlier hypervisors', () => {
    const first = building({ id: 'first', minutesAgo: 2 });
    const second = building({ id: 'second', minutesAgo: 1 });
    const stranger = { ...building({ id: 'stranger', minutesAgo: 9 }), name: 'ohooc--node1-other' };
    const going = { ...building({ id: 'going', minutesAgo: 9 }), state: 'deleting' as const };

    const { step, leftovers } = decide({ instances: [going, second, stranger, { ...first, state: 'running' }] });

    expect(step).toMatchObject({ kind: 'read-console', instance: { id: 'first' } });
    expect(leftovers.map(({ id }) => id)).toEqual(['second', 'stranger']);
  });

  it('is started beside those of earlier hypervisors, which go', () => {
    const stranger = { ...building({}), name: 'ohooc--node1-other' };

    expect(decide({ instances: [stranger] })).toEqual({ step: { kind: 'start' }, leftovers: [stranger] });
  });
});

describe('the console', () => {
  it.each([
    { console: `login on ${NAME}: `, minutesAgo: 1, verdict: { kind: 'passed' } },
    { console: `${NAME} login:`, minutesAgo: 60, verdict: { kind: 'passed' } },
    { console: 'booting', minutesAgo: 5, verdict: { kind: 'wait' } },
    {
      console: 'booting',
      minutesAgo: 6,
      verdict: { kind: 'fail', message: 'timeout waiting for console output since 2026-01-01T11:54:00.000Z' },
    },
    {
      console: new ComputeError('conflict', 'not ready'),
      minutesAgo: 1,
      verdict: { kind: 'unreadable', message: 'could not get console output not ready' },
    },
    {
      console: new ComputeError('conflict', 'not ready'),
      minutesAgo: 6,
      verdict: { kind: 'fail', message: 'could not get console output not ready' },
    },
    {
      console: new ComputeError('unavailable', 'busy', { retryAfterMs: 7_000 }),
      minutesAgo: 60,
      verdict: { kind: 'unreadable', message: 'could not get console output busy', retryAfterMs: 7_000 },
    },
  ])('is judged $verdict.kind $minutesAgo minutes after the launch', ({ console, minutesAgo, verdict }) => {
    const watched = { watchedMs: minutesAgo * 60_000, launchedAt: ago(minutesAgo) };
    const instance = { ...building({ minutesAgo: 90 }), state: 'running' as const, ...watched };

    expect(judgeConsole(instance, console, settings)).toEqual({
      ...(verdict.kind === 'unreadable' && { retryAfterMs: undefined }),
      ...verdict,
    });
  });

  it('may show the name as a host name: without dots, and cut', () => {
    const name = 'ohooc--compute-07.dc1.example.com-8c21f34b-282c-42e2-96b5-97ac1f34b000';
    const instance = { ...building({ minutesAgo: 1 }), name, state: 'running' as const };

    const shown = 'ohooc--compute-07-dc1-example-com-8c21f34b-282c-42e2-96b5-97ac1';

    expect(judgeConsole(instance, `${shown} login:`, settings)).toEqual({ kind: 'passed' });
    expect(judgeConsole(instance, 'ohooc--compute-07 login:', settings)).toEqual({ kind: 'wait' });
  });

  it('names the creation where no launch is told', () => {
    const verdict = judgeConsole(building({ minutesAgo: 6 }), 'booting', settings);

    expect(verdict).toEqual({
      kind: 'fail',
      message: 'timeout waiting for console output since 2026-01-01T11:54:00.000Z',
    });
  });
});

function decide(facts: Partial<SmokeTestFacts>): ReturnType<typeof decideSmokeTest> {
  const whole = { name: NAME, instances: [], smokeTest: undefined, startAgeMs: Infinity, now: NOW, ...facts };
  return decideSmokeTest(whole, settings);
}

function building({ id = 'instance-1', minutesAgo }: { id?: string; minutesAgo?: number }): WatchedInstance {
  return {
    id,
    name: NAME,
    state: 'building',
    fault: undefined,
    createdAt: minutesAgo === undefined ? undefined : ago(minutesAgo),
    launchedAt: undefined,
    watchedMs: (minutesAgo ?? 0) * 60_000,
  };
}

function ago(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString();
}
