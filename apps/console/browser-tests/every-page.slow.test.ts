import { afterAll, beforeAll, describe } from 'vitest';

import { auditRefusalTests, auditTests } from './fixtures/suites/audit.ts';
import { everyPageTests } from './fixtures/suites/every-page.ts';
import { nameTests, sectionTests, troubleTests } from './fixtures/suites/frame.ts';
import { focusTests, keyboardStoryTests } from './fixtures/suites/keyboard-story.ts';
import { leaverTests } from './fixtures/suites/leaver.ts';
import { bulkTests, listTests, namespaceTests } from './fixtures/suites/lists.ts';
import { machinePartTests, machineStreamTests, machineYamlTests } from './fixtures/suites/machine-parts.ts';
import { narrowTests } from './fixtures/suites/narrow.ts';
import { onlookerTests } from './fixtures/suites/onlooker.ts';
import { refusalTests } from './fixtures/suites/refusals.ts';
import { serviceSwitchTests } from './fixtures/suites/service-switches.ts';
import { oneMachineTests, severalMachineTests } from './fixtures/suites/several-machines.ts';
import { captureTests, switchTests, traceTests } from './fixtures/suites/switch.ts';
import { volumeTests } from './fixtures/suites/volumes.ts';
import { linkTests, tabTests } from './fixtures/suites/ways.ts';
import { START_MS, startSwitchedWorld, type SwitchedWorld } from './fixtures/switched-world.ts';

// One smalt up, one Open vSwitch and one browser serve all of them.
describe('every page and action of the console', { timeout: 180_000, retry: 0 }, () => {
  let world: SwitchedWorld;
  const here = (): SwitchedWorld => world;

  beforeAll(async () => {
    world = await startSwitchedWorld();
  }, START_MS * 2);
  afterAll(async () => await world?.[Symbol.asyncDispose](), START_MS);

  switchTests(here);
  traceTests(here);
  captureTests(here);
  serviceSwitchTests(here);
  auditTests(here);
  auditRefusalTests(here);
  keyboardStoryTests(here);
  focusTests(here);
  volumeTests(here);
  machineYamlTests(here);
  machinePartTests(here);
  machineStreamTests(here);
  severalMachineTests(here);
  listTests(here);
  bulkTests(here);
  oneMachineTests(here);
  nameTests(here);
  sectionTests(here);
  tabTests(here);
  linkTests(here);
  narrowTests(here);
  troubleTests(here);
  namespaceTests(here);
  refusalTests(here);
  onlookerTests(here);
  leaverTests(here);
  everyPageTests(here);
});
