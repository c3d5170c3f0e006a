import { startTestDaemon } from './start-test-daemon.ts';
import type { TestDaemon, TestDaemonOptions } from './start-test-daemon.ts';

/** How many start at a time: more only makes each slower. */
const AT_ONCE = 8;

/** A swarm of mock libvirtds, each a host of its own name. */
export interface TestDaemons extends AsyncDisposable {
  readonly daemons: readonly TestDaemon[];
}

/** Starts many mock libvirtds, named node1, node2 and so on; all or none. */
export async function startTestDaemons(
  count: number,
  options: Omit<TestDaemonOptions, 'hostname' | 'hostUuid' | 'port'> = {},
): Promise<TestDaemons> {
  await using cleanUp = new AsyncDisposableStack();
  const daemons: TestDaemon[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
  const starters = Array.from({ length: Math.min(AT_ONCE, count) }, async () => {
    for (const number of numbers) {
      daemons[number - 1] = cleanUp.use(await startTestDaemon({ ...options, hostname: `node${number}` }));
    }
  });
  // All must settle before anything is torn down, or a daemon that starts late would be forgotten.
  const failure = (await Promise.allSettled(starters)).find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  const owned = cleanUp.move();
  return { daemons, [Symbol.asyncDispose]: () => disposeTogether(daemons, owned) };
}

async function disposeTogether(daemons: readonly TestDaemon[], owned: AsyncDisposableStack): Promise<void> {
  await Promise.all(daemons.map((daemon) => daemon[Symbol.asyncDispose]()));
  await owned.disposeAsync();
}
