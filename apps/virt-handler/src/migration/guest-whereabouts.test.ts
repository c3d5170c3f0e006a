import {
  DomainPausedReason as Paused,
  DomainRunningReason as Running,
  DomainShutoffReason as Shutoff,
  DomainState as State,
} from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { whereaboutsOf } from './guest-whereabouts.ts';

describe('whereaboutsOf', () => {
  it.each([
    ['running', State.running, Running.booted],
    ['running', State.running, Running.postcopy],
    ['broken', State.running, Running.postcopyFailed],
    ['running', State.blocked, 0],
    ['running', State.pmSuspended, 0],
    ['running', State.shutdown, 0],
    ['paused', State.paused, Paused.user],
    ['paused', State.paused, Paused.ioerror],
    ['held', State.paused, Paused.migration],
    ['held', State.paused, Paused.startingUp],
    ['post-copy', State.paused, Paused.postcopy],
    ['broken', State.paused, Paused.postcopyFailed],
    ['off', State.shutoff, Shutoff.unknown],
    ['off', State.shutoff, Shutoff.shutdown],
    ['off', State.shutoff, Shutoff.crashed],
    ['failed', State.shutoff, Shutoff.failed],
    ['off', State.crashed, 0],
    ['running', 99, 0],
  ])('is %s in state %i for reason %i', (whereabouts, state, reason) => {
    expect(whereaboutsOf({ state, reason })).toBe(whereabouts);
  });
});
