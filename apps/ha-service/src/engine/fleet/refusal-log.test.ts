import type { Brake, Verdict } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import { RefusalLog } from './refusal-log.ts';

describe('RefusalLog', () => {
  it('tells a refusal once, whatever its numbers are', () => {
    const log = new RefusalLog();
    const first = log.compare([refused('n1', 'warm-up', '10 of 300')], 1_000);
    first.keep();

    const second = log.compare([refused('n1', 'warm-up', '20 of 300')], 2_000);
    second.keep();

    expect(first.entries).toMatchObject([
      {
        at: 1_000,
        kind: 'refusal',
        severity: 'warning',
        host: 'n1',
        message: 'n1 is condemned by agent, bmc, and nothing is done about it (warm-up): 10 of 300',
      },
    ]);
    expect(second.entries).toEqual([]);
    expect(log.current.get('n1')).toEqual({ brake: 'warm-up', message: '20 of 300', at: 1_000 });
  });

  it('tells it again when the brake is another, and after it was gone', () => {
    const log = new RefusalLog();
    log.compare([refused('n1', 'warm-up', '')], 1_000).keep();

    const other = log.compare([refused('n1', 'blind', '')], 2_000);
    other.keep();
    log.compare([], 3_000).keep();
    const again = log.compare([refused('n1', 'blind', '')], 4_000);

    expect([other.entries.length, again.entries.length]).toEqual([1, 1]);
  });

  it('tells again what could not be stored', () => {
    const log = new RefusalLog();
    log.compare([refused('n1', 'warm-up', '')], 1_000);

    expect(log.compare([refused('n1', 'warm-up', '')], 2_000).entries).toHaveLength(1);
  });
});

function refused(host: string, brake: Brake, message: string): Verdict {
  const judgement = { kind: 'condemned', since: 1, by: ['agent', 'bmc'] } as const;
  return { kind: 'refuse', host, refusal: { brake, message }, judgement };
}
