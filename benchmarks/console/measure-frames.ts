import { setTimeout as delay } from 'node:timers/promises';

import type { ConsolePlan } from './console-plan.ts';
import type { FrameResult } from './console-result.ts';
import type { ConsoleWorld } from './console-world.ts';
import { tellStatus } from './make-machines.ts';

const SECOND_MS = 1_000;
/** Before that the page is still busy with the first list. */
const SETTLE_MS = 1_000;

/** The time between frames of the list, while machines change at a steady rate, those on screen among them. */
export async function measureFrames(world: ConsoleWorld, plan: ConsolePlan, signal: AbortSignal): Promise<FrameResult> {
  const { machines, updatesPerSecond, frameSeconds } = plan;
  await using context = await world.person();
  const page = await context.newPage();
  await page.goto('/virtual-machines');
  await page.getByText(`${machines} machines`).waitFor();
  const end = new AbortController();
  const updating = update(world, { machines, updatesPerSecond }, AbortSignal.any([signal, end.signal]));
  await delay(SETTLE_MS, undefined, { signal });
  const frames: unknown = await page.evaluate(framesOf(frameSeconds * SECOND_MS));
  end.abort();
  const updates = await updating;
  if (!Array.isArray(frames)) throw new TypeError('the page did not tell its frames');
  return { frames: frames.map(Number), updates, seconds: frameSeconds + SETTLE_MS / SECOND_MS };
}

function framesOf(spanMs: number): string {
  return `new Promise((resolve) => {
    const frames = [];
    let before = performance.now();
    const end = before + ${spanMs};
    const step = (now) => {
      frames.push(now - before);
      before = now;
      if (now < end) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`;
}

interface Rate {
  readonly machines: number;
  readonly updatesPerSecond: number;
}

/** Writes until the signal, each when it is due; resolves with how many it has written. */
async function update(world: ConsoleWorld, { machines, updatesPerSecond }: Rate, signal: AbortSignal): Promise<number> {
  const beganAt = performance.now();
  const written: Promise<void>[] = [];
  const never = new AbortController().signal;
  while (!signal.aborted) {
    const due = ((performance.now() - beganAt) * updatesPerSecond) / SECOND_MS;
    for (let count = written.length; count < due; count += 1) {
      const words = Math.floor(count / machines) % 2 === 0 ? 'Paused' : 'Running';
      written.push(tellStatus(world.client, count % machines, words, never));
    }
    await delay(SECOND_MS / updatesPerSecond, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(written);
  return written.length;
}
