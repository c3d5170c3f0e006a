import { defaultDetectionSettings, type HostSignal, type Judgement } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import type { EngineView } from '../../ports/engine-view.ts';
import { SignalHistory } from './signal-history.ts';

const { judgement: SETTINGS } = defaultDetectionSettings;
const HOUR = 3_600_000;
const { freshMs } = SETTINGS.rules.agent;

describe('the history of signals', () => {
  it('has one line for each change, and none for what stays', () => {
    const history = new SignalHistory();

    history.take(view(1_000, { aliveAt: 1_000 }), SETTINGS);
    history.take(view(2_000, { aliveAt: 2_000 }), SETTINGS);
    history.take(view(2_001 + freshMs, { aliveAt: 2_000 }, 'suspect'), SETTINGS);
    history.take(view(2_002 + freshMs, { aliveAt: 2_002 + freshMs }), SETTINGS);

    expect(history.of('h1')?.signals.get('agent')).toEqual([
      { at: 1_000, state: 'alive' },
      { at: 2_001 + freshMs, state: expect.stringMatching(/doubtful|dead/) },
      { at: 2_002 + freshMs, state: 'alive' },
    ]);
    expect(history.of('h1')?.judgements.map(({ state }) => state)).toEqual(['alive', 'suspect', 'alive']);
    expect([history.since, history.of('other')]).toEqual([1_000, undefined]);
  });

  it('keeps a day, and what was so when it began', () => {
    const history = new SignalHistory();

    for (const at of [0, 1, 2, 20, 23, 30].map((hours) => hours * HOUR)) {
      history.take(view(at, at % (2 * HOUR) === 0 ? { aliveAt: at } : { aliveAt: undefined }), SETTINGS);
    }

    const hours = history
      .of('h1')
      ?.signals.get('agent')
      ?.map(({ at }) => at / HOUR);
    expect(hours).toEqual([2, 23, 30]);
  });

  it('is bounded, however often a signal changes', () => {
    const history = new SignalHistory();

    for (let at = 0; at < 1_000; at++) {
      history.take(view(at, { aliveAt: at % 2 === 0 ? at : undefined }), SETTINGS);
    }

    const changes = history.of('h1')?.signals.get('agent') ?? [];
    expect([changes.length, changes.at(-1)?.at]).toEqual([128, 999]);
  });

  it('forgets hosts that nobody has seen for a day, and everything when another one leads', () => {
    const history = new SignalHistory();
    history.take(view(0, { aliveAt: 0 }), SETTINGS);

    history.take({ ...view(25 * HOUR, {}), judgements: new Map() }, SETTINGS);
    const forgotten = history.of('h1');
    history.clear();

    expect([forgotten, history.since]).toEqual([undefined, undefined]);
  });
});

function view(at: number, signal: Partial<HostSignal>, kind: 'alive' | 'suspect' = 'alive'): EngineView {
  const judgement: Judgement =
    kind === 'alive'
      ? { kind, by: 'agent', lastLifeAt: at, isRebooted: false }
      : { kind, since: at, dead: [], missing: 'more' };
  const told = {
    source: 'agent',
    aliveAt: undefined,
    deadSince: undefined,
    deadAt: undefined,
    reachableSince: 0,
  } as const;
  const service = { startedAt: 0, kubernetesSince: 0, computeSince: 0, storeSince: 0, lastOpenedAt: undefined };
  return {
    at,
    decisionMs: 0,
    service,
    judgements: new Map([['h1', judgement]]),
    signalsOf: () => [{ ...told, ...signal }],
    refusals: new Map(),
    sources: new Map(),
    isBrakeUsedUp: false,
    openIncidents: [],
  };
}
