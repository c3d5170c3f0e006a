import { setImmediate as turn } from 'node:timers/promises';

import { systemClock } from '@smalt/controller-runtime';
import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { DaemonWatch } from './daemon-watch.ts';

const NEVER = new AbortController().signal;
let node: OvsNode;

beforeAll(async () => {
  node = await startOvsNode({ datapath: 'dummy' });
}, 60_000);

afterAll(() => node[Symbol.asyncDispose]());

it('leaves no connection open that a look was about to make when it was disposed of', async () => {
  const before = openPipes();

  for (let turns = 0; turns < 40; turns++) {
    const watch = watchDaemon();
    const looking = watch.check(NEVER).catch(() => undefined);
    for (let count = 0; count < turns; count++) await turn();
    await watch[Symbol.asyncDispose]();
    await looking;
  }

  await expect.poll(openPipes).toBe(before);
});

function watchDaemon(): DaemonWatch {
  const metrics = { countFailure: () => undefined, countReconnect: () => undefined, observeRefresh: () => undefined };
  const place = { runDirectories: [node.runDirectory], proc: '/proc' };
  return new DaemonWatch({ daemon: 'ovs-vswitchd', ...place, answerMs: 3_000, clock: systemClock, metrics });
}

function openPipes(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
}
