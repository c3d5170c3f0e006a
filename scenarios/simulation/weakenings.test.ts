import { describe, expect, it } from 'vitest';

import { simulateSeed, type SeedReport } from './simulate-seed.ts';
import type { Weakening } from './stage.ts';
import type { Trouble } from './troubles.ts';
import {
  alwaysAvailable,
  anyNumber,
  believedFence,
  noGrace,
  noMaintenance,
  noPause,
  noRecords,
  noRevisions,
  noSight,
  noWarmUp,
  singleReading,
  singleSignal,
  staleLeader,
} from './weakenings.ts';

/** Each takes one check out of the service. The simulator has to find that out, by the rule that the check is there for. */
describe('a service without one of its checks is found out', () => {
  it.each<Case>([
    { what: 'it believes that a fence works', weakening: believedFence, rule: /runs twice/u, troubles: isolations },
    { what: 'one reading of off is enough', weakening: singleReading, rule: /runs twice/u, troubles: isolations },
    { what: 'one signal is enough', weakening: singleSignal, rule: /fenced by [01] signals/u },
    { what: 'any number of hosts may be missing', weakening: anyNumber, rule: /hosts are missing/u, troubles: racks },
    { what: 'it judges from its first moment', weakening: noWarmUp, rule: /has watched for/u, troubles: kills },
    { what: 'it acts though it sees nothing', weakening: noSight, rule: /was blind/u, troubles: blindness },
    { what: 'it does not mind maintenance', weakening: noMaintenance, rule: /in maintenance/u },
    {
      what: 'highAvailability: false means nothing',
      weakening: alwaysAvailable,
      rule: /not highly available/u,
      troubles: deaths,
    },
    { what: 'nobody can pause it', weakening: noPause, rule: /while all is paused/u },
    { what: 'it asks again at once for what was not answered', weakening: noGrace, rule: /a second time/u },
    { what: 'it does not look for records of evacuations', weakening: noRecords, rule: /a second time|while it runs/u },
    {
      what: 'whoever saves last wins',
      weakening: noRevisions,
      rule: /while r\d\.\d+ leads|has watched for/u,
      troubles: stalls,
    },
    {
      what: 'a leader of long ago may act and save',
      weakening: staleLeader,
      rule: /while r\d\.\d+ leads/u,
      troubles: stalls,
    },
  ])(
    'when $what',
    async ({ weakening, rule, troubles }) => {
      const found = await firstBroken(weakening, rule, troubles);

      expect(found?.violations.join('\n')).toMatch(rule);
      expect(found?.seed).toBeLessThanOrEqual(MOST_SEEDS);
    },
    120_000,
  );
});

type TroubleTable = readonly (readonly [Trouble, number])[];

const deaths: TroubleTable = [
  ['power-loss', 3],
  ['panic', 3],
  ['isolation', 3],
];
const isolations: TroubleTable = [['isolation', 1]];
const racks: TroubleTable = [...deaths, ['rack', 4]];
const kills: TroubleTable = [...deaths, ['kill', 6]];
const blindness: TroubleTable = [...deaths, ['nova-down', 6]];
const stalls: TroubleTable = [...deaths, ['stall', 8]];

interface Case {
  readonly what: string;
  readonly weakening: Weakening;
  readonly rule: RegExp;
  readonly troubles?: TroubleTable;
}

const MOST_SEEDS = 120;

async function firstBroken(
  weakening: Weakening,
  rule: RegExp,
  troubles: TroubleTable | undefined,
): Promise<SeedReport | undefined> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const report = await simulateSeed(seed, {
      weakening,
      isBusy: true,
      ...(troubles === undefined ? {} : { troubles }),
    });
    if (report.violations.some((violation) => rule.test(violation))) return report;
  }
  return undefined;
}
