import { InstanceState } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { factsOf, watching } from './fixtures/an-instance.ts';
import { agent, happened, lifecycle, NOW, silent } from './fixtures/event-builders.ts';
import {
  adoptRecovery,
  defaultInstanceRecoverySettings as defaults,
  isQuiet,
  nextRecovery,
  type InstanceEvent,
  type InstanceFacts,
  type InstanceRecoverySettings,
  type RecoveryRecord,
} from './index.ts';

describe('an instance in trouble', () => {
  it.each(Object.values(InstanceState))('that crashed is restarted or not when it is %s', (state) => {
    const { record, action } = next(crashed(), [], { state });

    const isRestarted = ['running', 'stopped', 'failed'].includes(state);
    expect(action).toEqual(isRestarted ? { kind: 'restart' } : undefined);
    expect(isRestarted || ['building', 'moving', 'unconfirmed', 'busy'].includes(state)).toBe(
      !isQuiet(record ?? watching()),
    );
  });

  it.each<[string, Partial<RecoveryRecord>, Partial<InstanceFacts>, Partial<InstanceRecoverySettings>, string]>([
    ['settles', { trouble: trouble('crashed', 4_999) }, {}, {}, 'it is left alone'],
    ['may write again', { trouble: trouble('stalled', 59_999) }, {}, {}, 'it is left alone'],
    ['rests', { restarts: [NOW - 29_999] }, {}, {}, 'it is left alone'],
    ['rests longer', { restarts: [NOW - 90_000, NOW - 59_999] }, {}, {}, 'it is left alone'],
    ['is on a host in an incident', {}, { hostObjection: 'n1 has an incident' }, {}, 'waits: n1 has an incident'],
    ['waits for its turn', {}, { othersUnderWay: 10 }, {}, '10 others'],
    ['is not highly available', {}, { isRelevant: false }, {}, 'is not highly available'],
    ['is locked', {}, { isLocked: true }, {}, 'is locked'],
    ['hung and was stopped', { trouble: trouble('hung', 60_000) }, { state: 'stopped' }, {}, 'as its owner wants'],
  ])('is left alone while it %s', (_what, ...[part, facts, settings, why]) => {
    const { record, action } = next(crashed(part), [], facts, settings);

    expect(action).toBeUndefined();
    expect(record?.message ?? '').toContain(record === undefined ? '' : why);
  });

  it.each<[string, readonly InstanceEvent[], Partial<InstanceFacts>, string]>([
    [
      'it is not highly available',
      [happened(lifecycle('crashed/panicked'))],
      { isRelevant: false },
      'highly available',
    ],
    ['it is locked', [happened(lifecycle('stopped/failed'))], { isLocked: true }, 'is locked'],
    ['it came too late', [happened(lifecycle('crashed/panicked'), 86_400_000)], {}, 'it came too late'],
    [
      'it has started since',
      [happened(lifecycle('crashed/panicked'), 20), happened(lifecycle('started/booted'), 10)],
      {},
      'has started',
    ],
  ])('that is not followed, because %s, is told of all the same', (_what, events, facts, why) => {
    const { record, action, dropped } = next(undefined, events, facts);

    expect({ isQuiet: isQuiet(record ?? watching()), action }).toEqual({ isQuiet: true, action: undefined });
    expect(dropped).toContain(why);
  });

  it('says nothing of what was no trouble, and nothing while it is followed', () => {
    expect(next(undefined, [happened(lifecycle('started/booted'))]).dropped).toBeUndefined();
    expect(next(undefined, [happened(lifecycle('crashed/panicked'))]).dropped).toBeUndefined();
  });

  it('says so when it is gone, or nobody wants to hear of it', () => {
    const events = [happened(lifecycle('crashed/panicked'))];

    const gone = nextRecovery(undefined, events, undefined, { settings: defaults, now: NOW });

    expect(gone.dropped).toBe('the compute system does not have it any more');
    expect(next(undefined, events, {}, { isEnabled: false }).dropped).toBe('instance recovery is switched off');
  });

  it('is restarted in place, and that is written down first', () => {
    const { record, action } = next(crashed({ restarts: [NOW - 60_000] }), []);

    expect(action).toEqual({ kind: 'restart' });
    expect(record).toMatchObject({ state: 'restarting', askedAt: NOW, restarts: [NOW - 60_000, NOW] });
    expect(record?.message).toBe('web-1 is crashed (libvirt: stopped/failed); restart 2 of 3 is asked for');
  });

  it('is restarted when its guest agent is silent, and followed although the agent goes with it', () => {
    const settled = happened(silent(3), 5_000);

    const asked = next(undefined, [settled]);
    const gone = next(asked.record, [happened(agent('disconnected'))]);
    const started = next(gone.record, [happened(lifecycle('started/booted'))]);

    expect(asked).toMatchObject({ action: { kind: 'restart' }, record: { state: 'restarting' } });
    expect(asked.record?.message).toContain('its guest agent missed 3 pings in a row');
    expect(gone.record).toMatchObject({ state: 'restarting', trouble: { kind: 'hung' } });
    expect(started.record).toMatchObject({ state: 'watching', trouble: undefined, message: 'web-1 runs again' });
  });

  it('is moved when restarts do not help and that is allowed, once', () => {
    const restarts = [NOW - 900_000, NOW - 800_000, NOW - 700_000];
    const moved = next(crashed({ restarts }), [], {}, { mayMove: true });
    const again = next(crashed({ restarts, moves: [NOW - 600_000] }), [], {}, { mayMove: true });

    expect(moved).toMatchObject({ action: { kind: 'move' }, record: { state: 'moving', moves: [NOW] } });
    expect(again).toMatchObject({ action: undefined, record: { state: 'failed' } });
  });

  it('is left to a person when nothing helps, until it runs again', () => {
    const restarts = [NOW - 900_000, NOW - 800_000, NOW - 700_000];
    const { record, action } = next(crashed({ restarts }), []);

    expect(action).toBeUndefined();
    expect(record).toMatchObject({ state: 'failed', message: expect.stringContaining('3 restarts and 0 moves') });
    expect(next(record, [happened(lifecycle('stopped/failed'))])).toEqual({ record, action: undefined });
    expect(next(record, [happened(lifecycle('started/booted'))]).record).toMatchObject({ state: 'watching' });
  });

  it('has its restarts forgotten after the window', () => {
    const restarts = [NOW - 3_600_000, NOW - 3_599_999, NOW - 700_000];

    expect(next(crashed({ restarts }), []).record?.restarts).toEqual([NOW - 3_599_999, NOW - 700_000, NOW]);
  });

  it('is forgotten when it is gone, when somebody else moved it, and when all is switched off', () => {
    const moved = next(crashed(), [], { hostName: 'n2' });

    expect(nextRecovery(crashed(), [], undefined, { settings: defaults, now: NOW })).toMatchObject(nothing);
    expect(next(crashed(), [], {}, { isEnabled: false })).toMatchObject(nothing);
    expect(moved).toMatchObject(nothing);
  });

  it('that waits for too long is not helped any more', () => {
    const old = crashed({ trouble: trouble('crashed', 600_001) });

    expect(next(old, [], { hostObjection: 'n1 has an incident' })).toMatchObject(nothing);
  });
});

describe('a restart', () => {
  it.each<[string, number, Partial<InstanceFacts>, Partial<RecoveryRecord>, object]>([
    ['is under way', 1_000, { state: 'busy' }, {}, { state: 'restarting' }],
    ['takes too long', 900_000, { state: 'busy' }, {}, { state: 'failed' }],
    ['may not have begun', 119_999, { state: 'stopped' }, {}, { state: 'restarting' }],
    ['never arrived', 120_000, { state: 'stopped' }, {}, { state: 'watching', trouble: { kind: 'crashed', at: NOW } }],
    ['failed', 5_000, { state: 'failed' }, {}, { state: 'watching', trouble: { at: NOW } }],
    ['was refused', 1, { answer: { isTaken: false, message: 'no' } }, {}, { state: 'watching', trouble: { at: NOW } }],
    [
      'worked',
      1_000,
      {},
      { startedAt: NOW - 10, trouble: undefined },
      { state: 'watching', message: 'web-1 runs again' },
    ],
    [
      'was taken though it had no answer',
      1,
      { state: 'busy', answer: { isTaken: false, message: 'late' } },
      {},
      { state: 'restarting' },
    ],
    ['was not seen to work yet', 119_999, {}, {}, { state: 'restarting' }],
    ['was never seen to work', 120_000, {}, {}, { state: 'watching', message: expect.stringContaining('nobody saw') }],
    [
      'worked, and its owner stopped it then',
      1_000,
      { state: 'stopped' },
      { startedAt: NOW - 10, trouble: undefined },
      { state: 'watching', message: expect.stringContaining('as its owner wants it') },
    ],
    ['is of no use any more', 1_000, { state: 'deleting' }, {}, { state: 'watching' }],
  ])('that %s is followed', (_what, ...[agoMs, facts, part, expected]) => {
    const { record, action } = next(restarting(agoMs, part), [], facts);

    expect(action).toBeUndefined();
    expect(record).toMatchObject(expected);
  });

  it('destroys the old process, which is not the word of its owner', () => {
    const hung = restarting(1_000, { trouble: trouble('hung', 60_000) });

    const { record } = next(hung, [happened(lifecycle('stopped/destroyed'))], { state: 'busy' });

    expect(record).toMatchObject({ state: 'restarting', trouble: { kind: 'hung' } });
  });

  it('of one whose process had ended does not: then somebody has stopped it', () => {
    const { record, action } = next(restarting(1_000), [happened(lifecycle('stopped/destroyed'))], {
      state: 'stopped',
    });

    expect(action).toBeUndefined();
    expect(record).toMatchObject({ state: 'watching', trouble: undefined });
  });

  it('after which it crashes again is followed by another', () => {
    const events = [happened(lifecycle('started/booted'), 10), happened(lifecycle('stopped/failed'))];

    expect(next(restarting(1_000), events).record).toMatchObject({ state: 'watching', trouble: { kind: 'crashed' } });
  });
});

describe('a move', () => {
  it.each<[string, Partial<RecoveryRecord>, Partial<InstanceFacts>, object]>([
    ['is under way', {}, { state: 'moving' }, { record: { state: 'moving' }, action: undefined }],
    ['has arrived', {}, { state: 'unconfirmed', hostName: 'n2' }, { action: { kind: 'confirm-move' } }],
    ['is confirmed', {}, { state: 'stopped', hostName: 'n2' }, { action: { kind: 'start' } }],
    ['is over', {}, { hostName: 'n2' }, { record: { state: 'watching', host: 'n2' }, action: undefined }],
    ['may not have begun', {}, { state: 'stopped' }, { record: { state: 'moving' }, action: undefined }],
    [
      'never began',
      { askedAt: NOW - 120_000 },
      { state: 'stopped' },
      { record: { state: 'failed' }, action: undefined },
    ],
    ['failed', {}, { state: 'failed' }, { record: { state: 'failed' }, action: undefined }],
    [
      'was refused',
      {},
      { answer: { isTaken: false, message: 'no' } },
      { record: { state: 'failed' }, action: undefined },
    ],
    [
      'takes too long',
      { moves: [NOW - 900_000] },
      { state: 'moving' },
      { record: { state: 'failed' }, action: undefined },
    ],
    ['lost its instance', {}, { state: 'deleting' }, { record: { state: 'watching' }, action: undefined }],
    [
      'ended, and its owner stopped it then',
      { startedAt: NOW - 1 },
      { state: 'stopped', hostName: 'n2' },
      { record: { state: 'watching', host: 'n2' }, action: undefined },
    ],
  ])('that %s is followed', (_what, part, facts, expected) => {
    expect(next(moving(part), [], facts)).toMatchObject(expected);
  });

  it('is confirmed once, and again only when nothing came of it', () => {
    const arrived = { state: 'unconfirmed', hostName: 'n2' } as const;
    const { record } = next(moving(), [], arrived);

    expect(next(record, [], arrived).action).toBeUndefined();
    expect(at(NOW + 120_000, record, arrived).action).toEqual({ kind: 'confirm-move' });
  });
});

describe('adoptRecovery', () => {
  it.each([NOW - 3_600_000, NOW, NOW + 86_400_000])(
    'keeps what was done and waits for what is under way, at %d',
    (now) => {
      const given = restarting(100_000, { restarts: [NOW - 200_000, NOW - 100_000], startedAt: NOW - 300_000 });

      const adopted = adoptRecovery(given, now);

      expect(adopted).toMatchObject({
        state: 'restarting',
        askedAt: now,
        restarts: [now - 140_000, now - 40_000],
        trouble: { at: now },
        startedAt: undefined,
      });
      expect(at(now + 119_999, adopted, { state: 'stopped' }).record?.state).toBe('restarting');
    },
  );

  it('does not follow a restart any more that was seen to work', () => {
    const adopted = adoptRecovery(restarting(1_000, { startedAt: NOW, trouble: undefined }), NOW);

    expect(adopted).toMatchObject({ state: 'watching', askedAt: undefined });
    expect(next(adopted, [happened(lifecycle('stopped/failed'), 1)]).record?.trouble?.kind).toBe('crashed');
  });
});

const nothing = { record: undefined, action: undefined };

function next(
  record: RecoveryRecord | undefined,
  events: readonly InstanceEvent[],
  facts: Partial<InstanceFacts> = {},
  settings: Partial<InstanceRecoverySettings> = {},
) {
  return nextRecovery(record, events, factsOf(facts), { settings: { ...defaults, ...settings }, now: NOW });
}

function at(now: number, record: RecoveryRecord | undefined, facts: Partial<InstanceFacts>) {
  return nextRecovery(record, [], factsOf(facts), { settings: defaults, now });
}

function trouble(kind: 'crashed' | 'hung' | 'stalled', agoMs: number): NonNullable<RecoveryRecord['trouble']> {
  return { kind, at: NOW - agoMs, why: 'libvirt: stopped/failed', hasEnded: kind === 'crashed' };
}

function crashed(part: Partial<RecoveryRecord> = {}): RecoveryRecord {
  return watching({ trouble: trouble('crashed', 60_000), ...part });
}

function restarting(agoMs: number, part: Partial<RecoveryRecord> = {}): RecoveryRecord {
  return crashed({ state: 'restarting', askedAt: NOW - agoMs, restarts: [NOW - agoMs], ...part });
}

function moving(part: Partial<RecoveryRecord> = {}): RecoveryRecord {
  return crashed({ state: 'moving', askedAt: NOW - 1_000, moves: [NOW - 1_000], ...part });
}
