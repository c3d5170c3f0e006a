import { Brake } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import { alwaysSwitchedOn, brakeWeakenings } from './brake-weakenings.ts';
import { simulateSeed, type SeedReport } from './simulate-seed.ts';
import type { Weakening } from './stage.ts';
import type { TroubleTable } from './troubles.ts';
import {
  believedFence,
  forgottenWords,
  lastingWord,
  noEvents,
  noGrace,
  noIncidents,
  noLeaseQuestion,
  noPutOff,
  noRecords,
  noRevisions,
  singleReading,
  singleSignal,
  staleLeader,
  unheardObjection,
  wrongOutlets,
} from './weakenings.ts';

const deaths: TroubleTable = [
  ['power-loss', 3],
  ['panic', 3],
  ['isolation', 3],
];
const isolations: TroubleTable = [['isolation', 1]];
const panics: TroubleTable = [['panic', 1]];
const stalls: TroubleTable = [...deaths, ['stall', 8]];

/** Each takes one check out of the service. The simulator has to find that out, by the rule that the check is there for. */
describe('a service without one of its checks is found out', () => {
  it.each<Case>([
    {
      what: 'it believes that a fence works',
      weakening: believedFence,
      seed: 2,
      rule: /runs twice/u,
      troubles: isolations,
    },
    {
      what: 'one reading of off is enough',
      weakening: singleReading,
      seed: 2,
      rule: /runs twice/u,
      troubles: isolations,
    },
    {
      what: 'power that is on by one method is forgotten over another',
      weakening: unheardObjection,
      seed: 1,
      rule: /runs twice/u,
      troubles: isolations,
    },
    {
      what: 'the word of a person counts though nobody has watched since',
      weakening: lastingWord,
      seed: 14,
      rule: /runs twice|while it runs/u,
      troubles: panics,
    },
    { what: 'one signal is enough', weakening: singleSignal, seed: 24, rule: /fenced by [01] signals/u },
    { what: 'it asks again at once for what was not answered', weakening: noGrace, seed: 2, rule: /a second time/u },
    {
      what: 'it does not look for records of evacuations',
      weakening: noRecords,
      seed: 2,
      rule: /a second time|while it runs/u,
    },
    {
      what: 'it does not ask for its lease before it gives an order',
      weakening: noLeaseQuestion,
      seed: 69,
      rule: /is ordered by r\d\.\d+ while r\d\.\d+ leads/u,
      troubles: stalls,
    },
    {
      what: 'whoever saves last wins, and nobody asks for the lease',
      weakening: noRevisions,
      seed: 31,
      rule: /while r\d\.\d+ leads|has watched for|without a record/u,
      troubles: stalls,
    },
    {
      what: 'a leader of long ago may act and save',
      weakening: staleLeader,
      seed: 57,
      rule: /while r\d\.\d+ leads|ms old/u,
      troubles: stalls,
    },
    { what: 'it recovers nobody', weakening: noIncidents, seed: 3, rule: /not recovered in \d+ ms/u, troubles: deaths },
    {
      what: 'it reads no events',
      weakening: noEvents,
      seed: 3,
      rule: /nobody has heard/u,
      troubles: [['guest-crash', 1]],
    },
    { what: 'it lets run what was off', weakening: noPutOff, seed: 1, rule: /was off before/u, troubles: deaths },
    {
      what: 'it is switched off in vain',
      weakening: alwaysSwitchedOn,
      seed: 4,
      rule: /was switched off/u,
      troubles: deaths,
    },
  ])(
    'when $what',
    async (weakened) => {
      const found = await firstBroken(weakened);

      expect(found?.violations.join('\n')).toMatch(weakened.rule);
      expect(found?.seed).toBeLessThanOrEqual(MOST_SEEDS);
    },
    120_000,
  );
});

describe('a service with all of its checks', () => {
  it.each<BadHouse>([
    {
      what: 'a PDU on a wrong outlet says off and the controller says on',
      weakening: wrongOutlets,
      seeds: [1, 2, 3],
      troubles: isolations,
    },
    {
      what: 'hosts are started again after a person has put them off',
      weakening: forgottenWords,
      seeds: [14, 22, 26],
      troubles: panics,
    },
  ])(
    'runs no machine twice where $what, in stories that break one without',
    async ({ weakening, seeds, troubles }) => {
      const broken: string[] = [];
      for (const seed of seeds) {
        const report = await simulateSeed(seed, { weakening, isBusy: true, troubles });
        broken.push(...report.violations.filter((violation) => /runs twice|while it runs/u.test(violation)));
      }

      expect(broken).toEqual([]);
    },
    120_000,
  );
});

/** For each brake, the rule that it is there for, and what makes it needed often. */
const brakeRules: Readonly<Record<Brake, Omit<Weakened, 'weakening'>>> = {
  paused: { seed: 6, rule: /while all is paused/u, troubles: deaths },
  'dry-run': { seed: 4, rule: /while this is a dry run/u, troubles: deaths },
  'warm-up': { seed: 28, rule: /has watched for/u, troubles: [...deaths, ['kill', 6]] },
  blind: { seed: 3, rule: /was blind/u, troubles: [...deaths, ['nova-down', 6]] },
  'mass-failure': { seed: 2, rule: /hosts are missing/u, troubles: [...deaths, ['rack', 4]] },
  maintenance: { seed: 3, rule: /in maintenance/u, troubles: deaths },
  held: { seed: 4, rule: /though it is held/u, troubles: deaths },
  'not-highly-available': { seed: 23, rule: /not highly available/u, troubles: deaths },
  'not-onboarded': { seed: 1, rule: /not onboarded/u, troubles: deaths },
  policy: { seed: 45, rule: /though the policy leaves it alone/u, troubles: deaths },
  kdump: { seed: 2, rule: /writes a kernel dump/u, troubles: [['kdump', 1]] },
  'no-instances': { seed: 4, rule: /though it has no instances/u, troubles: [['panic', 1]] },
  'instances-unknown': { seed: 2, rule: /nobody knew whether it has instances/u, troubles: deaths },
  'too-many-open': { seed: 1, rule: /while \d+ are open/u, troubles: deaths },
  'failure-domain': { seed: 5, rule: /while \d+ of rack-\d+ are open/u, troubles: deaths },
  interval: { seed: 5, rule: /ms after the last one/u, troubles: deaths },
};

describe('a service without one of its brakes is found out', () => {
  it.each(Object.values(Brake))(
    'when %s does not hold it back',
    async (brake) => {
      const weakened = { ...brakeRules[brake], weakening: brakeWeakenings[brake] };

      const found = await firstBroken(weakened);

      expect(found?.violations.join('\n')).toMatch(weakened.rule);
      expect(found?.seed).toBeLessThanOrEqual(MOST_SEEDS);
    },
    120_000,
  );
});

interface Weakened {
  readonly weakening: Weakening;
  readonly rule: RegExp;
  /** A story that is known to show it. Where another version of the service lives that one differently, the others are tried. */
  readonly seed: number;
  readonly troubles?: TroubleTable;
}

interface Case extends Weakened {
  readonly what: string;
}

interface BadHouse {
  readonly what: string;
  readonly weakening: Weakening;
  readonly seeds: readonly number[];
  readonly troubles: TroubleTable;
}

const MOST_SEEDS = 120;

async function firstBroken({ weakening, rule, seed: known, troubles }: Weakened): Promise<SeedReport | undefined> {
  for (const seed of [known, ...Array.from({ length: MOST_SEEDS }, (_, index) => index + 1)]) {
    const report = await simulateSeed(seed, { weakening, isBusy: true, ...(troubles && { troubles }) });
    if (report.violations.some((violation) => rule.test(violation))) return report;
  }
  return undefined;
}
