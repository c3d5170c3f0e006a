import { describe, expect, it } from 'vitest';

import { bridge, guestPort, healthyConfiguration, healthyFacts, NOW, plainPort } from '../../fixtures/build-facts.ts';
import { conditionWords, issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import type { InterfaceFacts, PortFacts, SwitchFacts } from '../../switch-facts.ts';

const gone = { ifindex: 0n, linkState: 'down', adminState: 'down' };

describe('a network card', () => {
  it.each<[string, Partial<InterfaceFacts>, string]>([
    ['that is gone', gone, 'Network card eno9 of br-ex is gone'],
    ['that cannot be opened', { ofport: -1n, error: 'No such device' }, 'Network card eno9 of br-ex is gone'],
    ['without a link', { linkState: 'down' }, 'Network card eno9 of br-ex is without a link'],
    ['that is switched off', { linkState: 'down', adminState: 'down' }, 'Network card eno9 of br-ex is switched off'],
  ])('%s is told as that, and not as an orphan that may be taken away', (_what, part, message) => {
    const cards = [plainPort('eno9', part)];

    const last = judgeSeries([look(0, cards), look(60_000, cards)]).at(-1);

    expect(last?.status.issues).toMatchObject([{ severity: 'Critical', reason: 'LinkDown', subject: 'eno9', message }]);
    expect(last?.status.issues?.[0]?.advice).not.toContain('del-port');
  });

  it('is missed less where another one leads out of its bridge', () => {
    const cards = [plainPort('eno8'), plainPort('eno9', gone)];

    expect(issuesAfter([look(0, cards), look(60_000, cards)])).toEqual(['Warning LinkDown eno9']);
  });

  it('is told at once when it was well, and may take a moment when it is new', () => {
    const [up, down] = [[plainPort('eno9')], [plainPort('eno9', { linkState: 'down' })]];

    expect(issuesAfter([look(0, up), look(20_000, up), look(20_001, down)])).toEqual(['Critical LinkDown eno9']);
    expect(issuesAfter([look(0, down), look(9_000, down)])).toEqual([]);
  });

  it('that comes and goes is one issue, and told as it is among the interfaces', () => {
    const [up, down] = [[plainPort('eno9')], [plainPort('eno9', { linkState: 'down' })]];
    const flaps = Array.from({ length: 10 }, (_each, index) => look(20_000 + index, index % 2 === 0 ? down : up));

    const judgements = judgeSeries([look(0, up), ...flaps]).slice(1);

    expect(new Set(judgements.map(({ status }) => status.issues?.[0]?.detectedAt)).size).toBe(1);
    expect(judgements.at(-1)?.status.issues?.[0]?.message).toBe(
      'Network card eno9 of br-ex comes and goes (without a link)',
    );
    expect(judgements.at(-1)?.status.interfaces?.physical).toMatchObject([{ name: 'eno9', status: 'Up' }]);
    expect(conditionWords(judgements.at(-1), 'Ready')).toBe('True Healthy');
  });

  it('of which a database that was just started says nothing is neither down nor mended', () => {
    const silent = [plainPort('eno9', { adminState: undefined, linkState: undefined })];
    const down = [plainPort('eno9', { linkState: 'down' })];

    const last = judgeSeries([look(0, silent), look(60_000, silent)]).at(-1);

    expect(issueNames(last)).toEqual([]);
    expect(last?.status.interfaces?.physical).toMatchObject([{ name: 'eno9', status: 'Unknown' }]);
    expect(issuesAfter([look(0, down), look(60_000, down), look(61_000, silent)])).toEqual(['Critical LinkDown eno9']);
  });
});

function look(ms: number, cards: readonly PortFacts[]): SwitchFacts {
  const bridges = [bridge('br-int', [guestPort('tap1', 'vm1')]), bridge('br-ex', cards)];
  return healthyFacts({ at: NOW + ms, configuration: healthyConfiguration({ bridges }) });
}

function issuesAfter(looks: readonly SwitchFacts[]): readonly string[] {
  return issueNames(judgeSeries(looks).at(-1));
}
