import { describe, expect, it } from 'vitest';

import { ManualClock } from '../fixtures/manual-clock.ts';
import { withDeadline, type Deadline } from './with-deadline.ts';

describe('withDeadline', () => {
  it('answers what the call answers', async () => {
    const answer = await withDeadline(deadline(new ManualClock()), async () => 'yes');

    expect(answer).toBe('yes');
  });

  it('ends a call that does not heed its signal, and tells it to stop', async () => {
    const clock = new ManualClock();
    let told: AbortSignal | undefined;
    const call = withDeadline(deadline(clock), (signal) => {
      told = signal;
      return new Promise<never>(() => undefined);
    });
    const failed = call.catch((error: unknown) => error);

    await clock.advance(100);

    expect(await failed).toMatchObject({ code: 'deadline', message: 'the call took longer than 100 ms' });
    expect(told?.aborted).toBe(true);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const call = withDeadline(deadline(new ManualClock(), stop.signal), () => new Promise<never>(() => undefined));
    const failed = call.catch((error: unknown) => error);

    stop.abort(new Error('the lead is lost'));

    expect(await failed).toMatchObject({ message: 'the lead is lost' });
  });

  it('does not begin after its signal has fired', async () => {
    let hasBegun = false;
    const call = withDeadline(deadline(new ManualClock(), AbortSignal.abort(new Error('over'))), async () => {
      hasBegun = true;
    });

    await expect(call).rejects.toThrow('over');
    expect(hasBegun).toBe(false);
  });

  it('fails as the call fails', async () => {
    const call = withDeadline(deadline(new ManualClock()), () => Promise.reject(new Error('no')));

    await expect(call).rejects.toThrow('no');
  });
});

function deadline(clock: ManualClock, signal: AbortSignal = new AbortController().signal): Deadline {
  return { clock, timeoutMs: 100, what: 'the call', signal };
}
