import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { factsOf, watching } from './fixtures/an-instance.ts';
import {
  agent,
  answers,
  happened,
  hostReboot,
  ioError,
  lifecycle,
  NOW,
  reboot,
  silent,
} from './fixtures/event-builders.ts';
import {
  defaultInstanceRecoverySettings as settings,
  nextRecovery,
  takeInGoodNews,
  type InstanceEvent,
  type RecoveryRecord,
} from './index.ts';

const ID = 'i1';
const GOOD = ['defined/added', 'started/booted', 'started/migrated', 'resumed/unpaused', 'suspended/paused'];
const good = [...GOOD.map(lifecycle), answers(), agent('connected'), agent('disconnected'), reboot()];

describe('good news', () => {
  it('change what a look at the instance would have changed, and nothing else', () => {
    fc.assert(
      fc.property(anyRecord(), anyGoodNews(), (before, events) => {
        const timing = { settings, now: NOW };

        expect(takeInGoodNews(ID, before, events, timing)).toEqual(nextRecovery(before, events, factsOf(), timing));
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('are taken in without a look, also of one that nothing was known of', () => {
    const { record, action } =
      takeInGoodNews(ID, undefined, [happened(lifecycle('started/booted'), 10)], { settings, now: NOW }) ?? {};

    expect(record).toMatchObject({ instanceId: ID, host: 'n1', startedAt: NOW - 10, state: 'watching' });
    expect(action).toBeUndefined();
  });
});

it.each<[string, RecoveryRecord | undefined, readonly InstanceEvent[]]>([
  ['nothing is told', undefined, []],
  ['it crashed', undefined, [happened(lifecycle('started/booted'), 9), happened(lifecycle('stopped/crashed'))]],
  ['its host has booted anew', undefined, [happened(hostReboot())]],
  ['it cannot write', undefined, [happened(ioError('pause'))]],
  ['its guest agent is silent', undefined, [happened(silent(1))]],
  ['it was stopped, and may be gone', undefined, [happened(lifecycle('stopped/shutdown'))]],
  ['something is under way', watching({ state: 'restarting' }), [happened(lifecycle('started/booted'))]],
  ['it is on another host', watching({ host: 'n2' }), [happened(lifecycle('started/migrated'))]],
])('somebody has to look when %s', (_when, before, events) => {
  expect(takeInGoodNews(ID, before, events, { settings, now: NOW })).toBeUndefined();
});

it('nothing is taken in while instance recovery is switched off', () => {
  const off = { settings: { ...settings, isEnabled: false }, now: NOW };

  expect(takeInGoodNews(ID, undefined, [happened(lifecycle('started/booted'))], off)).toBeUndefined();
});

function anyRecord(): fc.Arbitrary<RecoveryRecord | undefined> {
  const moments = fc.array(ago(2 * settings.windowMs), { maxLength: 3 });
  const changes = fc.record({
    restarts: moments,
    moves: moments,
    startedAt: fc.option(ago(2 * settings.maximumEventAgeMs), { nil: undefined }),
    missedPings: fc.option(fc.constant(1), { nil: undefined }),
  });
  return fc.option(changes.map(watching), { nil: undefined });
}

function anyGoodNews(): fc.Arbitrary<readonly InstanceEvent[]> {
  const age = fc.integer({ min: 0, max: 2 * settings.maximumEventAgeMs });
  const event = fc.tuple(fc.constantFrom(...good), age).map(([what, agoMs]) => happened(what, agoMs));
  return fc.array(event, { minLength: 1, maxLength: 5 });
}

function ago(longest: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: longest }).map((ms) => NOW - ms);
}
