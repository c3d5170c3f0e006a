import type { ConsoleWorld } from '@smalt/bed-console';
import { afterAll, beforeAll, describe } from 'vitest';

import { startLocalFleet, WAIT_MS } from './fixtures/local-fleet.ts';
import {
  fleetCloseTests,
  fleetIncidentTests,
  fleetPersonTests,
  incidentPageTests,
} from './fixtures/suites/fleet-incident.ts';
import { fleetHostTests, fleetMaintenanceTests, fleetStopTests } from './fixtures/suites/fleet-maintenance.ts';
import { fleetMigrationTests } from './fixtures/suites/fleet-migration.ts';

// The demo lives through all of it in this order; nothing can be tried again.
describe('the console before three hosts', { timeout: WAIT_MS * 2, retry: 0 }, () => {
  let world: ConsoleWorld;
  const here = (): ConsoleWorld => world;

  beforeAll(async () => {
    world = await startLocalFleet(3);
  }, WAIT_MS * 2);
  afterAll(async () => await world?.[Symbol.asyncDispose](), WAIT_MS);

  fleetMigrationTests(here);
  fleetMaintenanceTests(here);
  fleetStopTests(here);
  fleetHostTests(here);
  fleetIncidentTests(here);
  incidentPageTests(here);
  fleetPersonTests(here);
  fleetCloseTests(here);
});
