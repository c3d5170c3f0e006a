import { expect, it } from 'vitest';

import { planFleet } from './fleet-plan.ts';

it.each([
  { isQuick: false, chosen: undefined, plan: { sizes: [100, 300, 1_000], hostsPerProcess: 100, windowSeconds: 60 } },
  { isQuick: true, chosen: undefined, plan: { sizes: [10, 30], hostsPerProcess: 10, windowSeconds: 20 } },
  { isQuick: false, chosen: [30, 100, 200], plan: { sizes: [30, 100, 200], hostsPerProcess: 30, windowSeconds: 60 } },
  { isQuick: true, chosen: [2, 4], plan: { sizes: [2, 4], hostsPerProcess: 10, windowSeconds: 20 } },
  { isQuick: false, chosen: [500], plan: { sizes: [500], hostsPerProcess: 100 } },
])('has the sizes that were chosen, with hosts for each process to match: $chosen', ({ isQuick, chosen, plan }) => {
  expect(planFleet(isQuick, chosen)).toMatchObject(plan);
});
