import { isJsonObject } from '@smalt/json';

import type { Paint } from './console-result.ts';
import type { ConsoleWorld } from './console-world.ts';

// Looked for at each frame, so that the answer does not depend on how fast somebody asks.
const WATCH_ROWS = `globalThis.rowsMs = new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector('[role="row"][data-key]') !== null;
    requestAnimationFrame(isThere ? resolve : look);
  };
  look();
})`;
const RESULT = `globalThis.rowsMs.then((rowsMs) => ({
  firstContentMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  rowsMs,
}))`;

/** Opens the list of machines with nothing in the browser's cache. */
export async function measurePaint(world: ConsoleWorld): Promise<Paint> {
  await using context = await world.person();
  const page = await context.newPage();
  await page.addInitScript(WATCH_ROWS);
  await page.goto('/virtual-machines');
  const result: unknown = await page.evaluate(RESULT);
  if (!isJsonObject(result)) throw new TypeError('the page did not tell when it was painted');
  return { firstContentMs: Number(result['firstContentMs']), rowsMs: Number(result['rowsMs']) };
}
