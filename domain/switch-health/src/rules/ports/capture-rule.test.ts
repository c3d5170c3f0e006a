import { describe, expect, it } from 'vitest';

import { bridge, guestPort, healthyConfiguration, healthyFacts, NOW, plainPort } from '../../fixtures/build-facts.ts';
import { issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import type { SwitchFacts } from '../../switch-facts.ts';

describe('a mirror of a capture', () => {
  it('is a leftover once its capture does not run', () => {
    const running = { runningCaptures: new Set(['c1']) };

    expect(issueNames(judgeSeries(over('m1')).at(-1))).toEqual(['Warning LeftoverCapture br-int/m1']);
    expect(issueNames(judgeSeries(over('m1').map((look) => ({ ...look, ...running }))).at(-1))).toEqual([]);
  });

  it('of another agent is none before it expires', () => {
    const [early, late] = [over('m1', NOW + 60_001), over('m1', NOW - 1)];

    expect(issueNames(judgeSeries(early).at(-1))).toEqual([]);
    expect(issueNames(judgeSeries(late).at(-1))).toEqual(['Warning LeftoverCapture br-int/m1']);
  });

  it('of another agent expires by the clock on the wall', () => {
    const looks = over('m1', NOW).map((look) => ({ ...look, wallAheadMs: -120_000 }));

    expect(issueNames(judgeSeries(looks).at(-1))).toEqual([]);
  });

  it.each([
    [
      'm1',
      'Remove it: ovs-vsctl -- --id=@m get mirror m1 -- remove bridge br-int mirrors @m -- --if-exists del-port cap0',
    ],
    [
      'm$(id)',
      "Remove it: ovs-vsctl -- --id=@m get mirror 'm$(id)' -- remove bridge br-int mirrors @m -- --if-exists del-port cap0",
    ],
    ['m\n', 'Remove it from the mirrors of its bridge'],
  ])('called %j comes with a command that a shell takes as it is meant', (name, advice) => {
    expect(judgeSeries(over(name)).at(-1)?.status.issues).toMatchObject([{ advice }]);
  });
});

/** Two looks at a switch with a mirror, a minute apart. */
function over(name: string, expiresAt?: number): readonly SwitchFacts[] {
  const expires = expiresAt === undefined ? {} : { 'smalt-expires': new Date(expiresAt).toISOString() };
  const externalIds = new Map(Object.entries({ 'smalt-capture': 'c1', ...expires }));
  const mirrors = [{ name, externalIds, outputPort: 'cap0' }];
  const ports = [guestPort('tap1', 'vm1'), plainPort('cap0', { type: 'internal' })];
  const configuration = healthyConfiguration({ bridges: [bridge('br-int', ports, { mirrors })] });
  return [NOW, NOW + 60_000].map((at) => healthyFacts({ at, configuration }));
}
