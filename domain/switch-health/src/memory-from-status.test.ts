import { describe, expect, it } from 'vitest';

import { healthyFacts, NOW } from './fixtures/build-facts.ts';
import { issueNames, judgeSeries } from './fixtures/judge-series.ts';
import { emptyMemory, memoryFromStatus } from './index.ts';

const issue = {
  severity: 'Warning',
  message: 'Bond bond0 is degraded: eno2 carries no traffic',
  reason: 'BondUnhealthy',
  subject: 'bond0',
  detectedAt: '2025-01-01T00:00:00Z',
};

describe('memoryFromStatus', () => {
  it('is empty where there was nothing before', () => {
    expect(memoryFromStatus(undefined)).toEqual(emptyMemory);
    expect(memoryFromStatus({})).toEqual(emptyMemory);
  });

  it('keeps an issue until somebody can see that it is mended', () => {
    const memory = memoryFromStatus({ issues: [issue] });
    const blind = healthyFacts({ configuration: undefined });

    const judgements = judgeSeries([blind, { ...healthyFacts(), at: NOW + 1 }], {}, memory);

    expect(judgements[0]?.status.issues).toEqual([issue]);
    expect(judgements[1]?.status.issues).toEqual([]);
  });

  it('keeps the time of an issue that says no more than severity and message', () => {
    const { message, severity, detectedAt } = issue;
    const memory = memoryFromStatus({ issues: [{ message, severity, detectedAt }] });
    const bonds = new Map([
      ['bond0', { kind: 'known', at: NOW, value: { lacpStatus: 'off', members: [enabled('eno1')] } } as const],
    ]);

    const [judgement] = judgeSeries([healthyFacts({ bonds })], {}, memory);

    expect(judgement?.status.issues).toMatchObject([issue]);
  });

  it('takes nothing that it could not have written', () => {
    const issues = [
      { ...issue, detectedAt: 'yesterday' },
      { severity: 'Dreadful', message: 'm', detectedAt: issue.detectedAt },
      { severity: 'Warning', message: 'without a time' },
    ];

    expect(memoryFromStatus({ issues })).toEqual(emptyMemory);
  });

  it('lets an issue of a rule that is not known any more go as soon as all is seen', () => {
    const memory = memoryFromStatus({ issues: [{ ...issue, reason: 'Forgotten' }] });

    expect(issueNames(judgeSeries([healthyFacts()], {}, memory)[0])).toEqual([]);
  });
});

function enabled(name: string) {
  return { name, isEnabled: true };
}
