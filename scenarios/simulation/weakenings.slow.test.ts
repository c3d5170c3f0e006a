import { expect, it } from 'vitest';

import { simulateSeed } from './simulate-seed.ts';
import { forgottenWords, wrongOutlets } from './weakenings.ts';

it.each([
  {
    what: 'a PDU on a wrong outlet says off and the controller says on',
    house: wrongOutlets,
    troubles: [['isolation', 1]],
  },
  {
    what: 'hosts are started again after a person has put them off',
    house: forgottenWords,
    troubles: [['panic', 1]],
  },
] as const)(
  'a service with all of its checks runs no machine twice where $what',
  async ({ house, troubles }) => {
    const broken: string[] = [];
    for (let seed = 1; seed <= 30; seed += 1) {
      const report = await simulateSeed(seed, { weakening: house, isBusy: true, troubles });
      broken.push(...report.violations.filter((violation) => /runs twice|while it runs/u.test(violation)));
    }

    expect(broken).toEqual([]);
  },
  300_000,
);
