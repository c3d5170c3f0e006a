import { startConsoleWorld, type ConsoleWorld } from '@smalt/bed-console';
import { virtualMachineKind } from '@smalt/vm-api';
import { afterAll, beforeAll, describe } from 'vitest';

import { guestMachine } from './fixtures/guest-machine.ts';
import { createTests } from './fixtures/suites/create-machine.ts';
import { guestTests } from './fixtures/suites/guest.ts';
import { highAvailabilityTests } from './fixtures/suites/high-availability.ts';
import { keyboardTests } from './fixtures/suites/keyboard.ts';
import { lifecycleTests } from './fixtures/suites/lifecycle.ts';
import { lookTests } from './fixtures/suites/look.ts';
import { pageTests, switchPageTests } from './fixtures/suites/pages.ts';
import { searchTests } from './fixtures/suites/search.ts';
import { signInTests } from './fixtures/suites/sign-in.ts';
import { viewerTests } from './fixtures/suites/viewer.ts';

const START_MS = 120_000;

// One smalt up and one browser serve all of them, in this order: what one makes another looks at.
describe('the console in a browser', { timeout: 60_000, retry: 0 }, () => {
  let world: ConsoleWorld;
  const here = (): ConsoleWorld => world;

  beforeAll(async () => {
    const signal = AbortSignal.timeout(START_MS);
    world = await startConsoleWorld({ hasImage: true, flags: ['--no-demo'], signal });
    // It boots while others are looked at.
    await world.admin.resource(virtualMachineKind).create(guestMachine('demo'), { namespace: 'default', signal });
  }, START_MS);
  afterAll(async () => await world?.[Symbol.asyncDispose](), START_MS);

  signInTests(here);
  createTests(here);
  lifecycleTests(here);
  searchTests(here);
  lookTests(here);
  keyboardTests(here);
  pageTests(here);
  switchPageTests(here);
  highAvailabilityTests(here);
  viewerTests(here);
  guestTests(here);
});
