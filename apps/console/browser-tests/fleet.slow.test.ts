import type { ConsoleWorld } from '@smalt/bed-console';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startLocalFleet, untilWatched, WAIT_MS, whereDemoRuns } from './fixtures/local-fleet.ts';
import { askToMove } from './fixtures/move-machine.ts';

const PATIENCE = { timeout: WAIT_MS };

// The demo lives through all of it in this order; nothing can be tried again.
describe('the console before three hosts', { timeout: WAIT_MS * 2, retry: 0 }, () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await startLocalFleet(3);
  }, WAIT_MS * 2);
  afterAll(async () => await world?.[Symbol.asyncDispose](), WAIT_MS);

  it('shows the screen of a guest', async () => {
    await world.visit('display', '/virtual-machines/default/demo?tab=display', async (page) => {
      await page.getByText(/^Connected/).waitFor(PATIENCE);
      const screen = page.getByRole('group', { name: 'Screen of demo' }).locator('canvas');

      await expect.poll(async () => Number(await screen.getAttribute('width')), PATIENCE).toBeGreaterThanOrEqual(640);
    });
  });

  it('shows a live migration from its start to its end', async () => {
    const from = await whereDemoRuns(world);

    await world.visit('migration', '/virtual-machines/default/demo', async (page) => {
      await askToMove(page);
      await page.getByRole('heading', { name: 'Live migration' }).waitFor(PATIENCE);
      await page.getByText(/^took \d/).waitFor(PATIENCE);
      await expect.poll(() => whereDemoRuns(world), PATIENCE).not.toBe(from);
      await page.getByRole('link', { name: await whereDemoRuns(world) }).waitFor(PATIENCE);
    });

    expect(await whereDemoRuns(world)).toMatch(/^hv\d$/);
  });

  it('shows how a host is lost, proved to be off, and its machine started elsewhere', async () => {
    const lost = await whereDemoRuns(world);
    await untilWatched(world, lost);

    await world.visit('incident', '/high-availability', async (page) => {
      await page.getByText('No host has been lost.').waitFor();
      await world.smalt.run('host', 'cut', lost);
      await page.getByRole('grid', { name: 'Incidents' }).getByRole('link').first().click(PATIENCE);
      await page.getByRole('heading', { name: `${lost} was lost` }).waitFor(PATIENCE);
      await expect.poll(() => whereDemoRuns(world), PATIENCE).toMatch(new RegExp(`^(?!${lost})hv`));
      await page.getByText('Recovered', { exact: true }).first().waitFor(PATIENCE);
      const story = page.getByRole('list', { name: 'What happened' });
      await story.getByText(/off/i).first().waitFor(PATIENCE);

      expect(await story.getByRole('listitem').count()).toBeGreaterThan(2);
    });
  });
});
