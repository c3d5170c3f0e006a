import { mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { ConsoleWorld } from '@smalt/bed-console';
import { virtualMachineKind } from '@smalt/vm-api';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { guestMachine } from './fixtures/guest-machine.ts';
import { startLocalFleet, untilWatched, WAIT_MS, whereDemoRuns } from './fixtures/local-fleet.ts';
import { askToMove } from './fixtures/move-machine.ts';
import { untilLogin } from './fixtures/until-login.ts';

const PICTURES = resolve(import.meta.dirname, '../../../docs/console');
const MOST_BYTES = 150_000;
const PATIENCE = { timeout: WAIT_MS };
/** So many messages of a second each that graphs have something to show. */
const MEASUREMENTS = 15;
const NEIGHBOURS = ['api-1', 'database', 'web-1', 'web-2'];

// They show one fleet through its day, in this order.
describe('pictures of the console', { timeout: WAIT_MS * 2, retry: 0 }, () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await startLocalFleet(3);
    await mkdir(PICTURES, { recursive: true });
  }, WAIT_MS * 2);
  afterAll(async () => await world?.[Symbol.asyncDispose](), WAIT_MS);

  it('shows a serial console', async () => {
    await world.visit('picture of a console', '/virtual-machines/default/demo?tab=console', async (page) => {
      await untilLogin(page, 'demo', WAIT_MS);
      await page.keyboard.type('root\nuname -sr; uptime; free -m\n');
      await page.getByText(/Mem:/).first().waitFor(PATIENCE);

      expect(await take(page, 'serial-console')).toBeLessThan(MOST_BYTES);
    });
  });

  it('shows a machine that moves, and what it uses', async () => {
    await world.visit('picture of a machine', '/virtual-machines/default/demo', async (page) => {
      const messages = await nextMessages(page, MEASUREMENTS);
      await askToMove(page);
      await page.getByText(/^took \d/).waitFor(PATIENCE);

      expect(messages).toBe(MEASUREMENTS);
      expect(await take(page, 'machine')).toBeLessThan(MOST_BYTES);
    });
  });

  it('shows the list of machines', async () => {
    // Not before: guests that boot beside it would have the one that is looked at wait.
    const machines = world.admin.resource(virtualMachineKind);
    for (const name of NEIGHBOURS) await machines.create(guestMachine(name), { namespace: 'default' });

    await world.visit('picture of the list', '/virtual-machines', async (page) => {
      const running = page.getByRole('row').filter({ hasText: 'Running' });
      await expect.poll(() => running.count(), PATIENCE).toBe(NEIGHBOURS.length + 1);

      expect(await take(page, 'virtual-machines')).toBeLessThan(MOST_BYTES);
    });
  });

  it('shows a host', async () => {
    await world.visit('picture of a host', `/fleet/${await whereDemoRuns(world)}`, async (page) => {
      await page.getByRole('figure').first().waitFor();
      await nextMessages(page, MEASUREMENTS);

      expect(await take(page, 'host')).toBeLessThan(MOST_BYTES);
    });
  });

  it('shows how a lost host was dealt with', async () => {
    const lost = await whereDemoRuns(world);
    await untilWatched(world, lost);

    await world.visit('picture of an incident', '/high-availability', async (page) => {
      await world.smalt.run('host', 'cut', lost);
      await page.getByRole('grid', { name: 'Incidents' }).getByRole('link').first().click(PATIENCE);
      await page.getByText('Recovered', { exact: true }).first().waitFor(PATIENCE);

      expect(await take(page, 'incident')).toBeLessThan(MOST_BYTES);
    });
  });
});

/** Takes a picture without what passes, such as notices; its size in bytes. */
async function take(page: Page, name: string): Promise<number> {
  const path = resolve(PICTURES, `${name}.png`);
  for (const button of await page.getByRole('button', { name: 'Put away' }).all()) await button.click();
  await page.screenshot({ path });
  return (await stat(path)).size;
}

/** Waits for so many messages of the streams that the page opens from now on. */
async function nextMessages(page: Page, count: number): Promise<number> {
  const seen = Promise.withResolvers<number>();
  let messages = 0;
  page.on('websocket', (socket) => {
    if (!socket.url().endsWith('/usage')) return;
    socket.on('framereceived', () => {
      messages += 1;
      if (messages === count) seen.resolve(messages);
    });
  });
  await page.reload();
  return await seen.promise;
}
