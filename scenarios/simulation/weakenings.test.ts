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
    { what: 'it believes that a fence works', weakening: believedFence, rule: /runs twice/u, troubles: isolations },
    { what: 'one reading of off is enough', weakening: singleReading, rule: /runs twice/u, troubles: isolations },
    {
      what: 'power that is on by one method is forgotten over another',
      weakening: unheardObjection,
      rule: /runs twice/u,
      troubles: isolations,
    },
    {
      what: 'the word of a person counts though nobody has watched since',
      weakening: lastingWord,
      rule: /runs twice|while it runs/u,
      troubles: panics,
    },
    { what: 'one signal is enough', weakening: singleSignal, rule: /fenced by [01] signals/u },
    { what: 'it asks again at once for what was not answered', weakening: noGrace, rule: /a second time/u },
    { what: 'it does not look for records of evacuations', weakening: noRecords, rule: /a second time|while it runs/u },
    {
      what: 'whoever saves last wins, and nobody asks for the lease',
      weakening: noRevisions,
      rule: /while r\d\.\d+ leads|has watched for|without a record/u,
      troubles: stalls,
    },
    {
      what: 'a leader of long ago may act and save',
      weakening: staleLeader,
      rule: /while r\d\.\d+ leads|ms old/u,
      troubles: stalls,
    },
    { what: 'it recovers nobody', weakening: noIncidents, rule: /not recovered in \d+ ms/u, troubles: deaths },
    { what: 'it reads no events', weakening: noEvents, rule: /nobody has heard/u, troubles: [['guest-crash', 1]] },
    { what: 'it lets run what was off', weakening: noPutOff, rule: /was off before/u, troubles: deaths },
    { what: 'it is switched off in vain', weakening: alwaysSwitchedOn, rule: /was switched off/u, troubles: deaths },
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

describe('a service with all of its checks', () => {
  it.each<Omit<Case, 'rule'>>([
    {
      what: 'a PDU on a wrong outlet says off and the controller says on',
      weakening: wrongOutlets,
      troubles: isolations,
    },
    { what: 'hosts are started again after a person has put them off', weakening: forgottenWords, troubles: panics },
  ])(
    'runs no machine twice where $what',
    async ({ weakening, troubles }) => {
      const broken: string[] = [];
      for (let seed = 1; seed <= 30; seed += 1) {
        const report = await simulateSeed(seed, { weakening, isBusy: true, ...(troubles && { troubles }) });
        broken.push(...report.violations.filter((violation) => /runs twice|while it runs/u.test(violation)));
      }

      expect(broken).toEqual([]);
    },
    120_000,
  );
});

/** For each brake, the rule that it is there for, and what makes it needed often. */
const brakeRules: Readonly<Record<Brake, Omit<Case, 'what' | 'weakening'>>> = {
  paused: { rule: /while all is paused/u, troubles: deaths },
  'dry-run': { rule: /while this is a dry run/u, troubles: deaths },
  'warm-up': { rule: /has watched for/u, troubles: [...deaths, ['kill', 6]] },
  blind: { rule: /was blind/u, troubles: [...deaths, ['nova-down', 6]] },
  'mass-failure': { rule: /hosts are missing/u, troubles: [...deaths, ['rack', 4]] },
  maintenance: { rule: /in maintenance/u, troubles: deaths },
  held: { rule: /though it is held/u, troubles: deaths },
  'not-highly-available': { rule: /not highly available/u, troubles: deaths },
  'not-onboarded': { rule: /not onboarded/u, troubles: deaths },
  policy: { rule: /though the policy leaves it alone/u, troubles: deaths },
  kdump: { rule: /writes a kernel dump/u, troubles: [['kdump', 1]] },
  'no-instances': { rule: /though it has no instances/u, troubles: [['panic', 1]] },
  'instances-unknown': { rule: /nobody knew whether it has instances/u, troubles: deaths },
  'too-many-open': { rule: /while \d+ are open/u, troubles: deaths },
  'failure-domain': { rule: /while \d+ of rack-\d+ are open/u, troubles: deaths },
  interval: { rule: /ms after the last one/u, troubles: deaths },
};

describe('a service without one of its brakes is found out', () => {
  it.each(Object.values(Brake))(
    'when %s does not hold it back',
    async (brake) => {
      const { rule, troubles } = brakeRules[brake];

      const found = await firstBroken(brakeWeakenings[brake], rule, troubles);

      expect(found?.violations.join('\n')).toMatch(rule);
      expect(found?.seed).toBeLessThanOrEqual(MOST_SEEDS);
    },
    120_000,
  );
});

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
