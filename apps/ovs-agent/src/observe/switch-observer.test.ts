import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';
import { systemClock } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';
import type { SwitchFacts } from '@smalt/switch-health';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { DEFAULT_TIMES, type AgentTimes } from '../ovs-agent-options.ts';
import { openObserver } from './open-observer.ts';
import type { SwitchObserver } from './switch-observer.ts';

const QUICK: AgentTimes = { ...DEFAULT_TIMES, refreshMs: 500, answerMs: 500 };
/** What comes soon does not come from its next round of questions. */
const RARE: AgentTimes = { ...DEFAULT_TIMES, refreshMs: 120_000 };
const SOON = { timeout: 15_000, interval: 20 };
const never = new AbortController().signal;
const failures: string[] = [];
const stack = new AsyncDisposableStack();
let node: OvsNode;
let observer: SwitchObserver;

beforeAll(async () => {
  node = stack.use(await startOvsNode({ datapath: 'dummy' }));
  await node.vsctl('add-br', 'br-int', '--', 'add-br', 'br-provider');
  const bond = await node.addBond();
  await bond.settled();
  observer = stack.use(startObserver()).observer;
  await observer.ready(AbortSignal.timeout(10_000));
}, 60_000);

afterAll(async () => {
  await stack.disposeAsync();
});

it('knows everything once it is ready', () => {
  const { database, vswitchd, ovsdbServer, configuration, bonds, ovn, guestDevices } = observer.facts();

  expect(database).toMatchObject({ state: 'connected', schemaVersion: '8.3.1' });
  expect(vswitchd).toMatchObject({ state: 'answering', version: '3.1.0', processId: node.pids['ovs-vswitchd'] });
  expect(ovsdbServer).toMatchObject({ state: 'answering', version: '3.1.0', processId: node.pids['ovsdb-server'] });
  expect(configuration?.bridges.map(({ name }) => name)).toEqual(['br-int', 'br-provider', 'br-tor']);
  expect(flowsOf(observer.facts(), 'br-int')).toBe(1);
  expect(bonds.get('bond0')).toMatchObject({ kind: 'known', value: { lacpStatus: 'negotiated' } });
  expect({ ovn, guestDevices }).toEqual({ ovn: undefined, guestDevices: undefined });
});

it('tells at once what the database says anew, and what ovs-vswitchd says of a bond', async () => {
  const changed = Promise.withResolvers<SwitchFacts>();
  const stop = observer.onChange(() => {
    const facts = observer.facts();
    if (linkOf(facts, 'eno1') === 'down' && enabledMembers(facts) === 1) changed.resolve(facts);
  });

  await node.setLink('eno1', 'down');
  const { at } = await changed.promise;
  stop();
  await node.setLink('eno1', 'up');
  await expect.poll(() => enabledMembers(observer.facts()), SOON).toBe(2);
  await expect.poll(() => linkOf(observer.facts(), 'eno1'), SOON).toBe('up');

  expect(observer.facts().at).toBeGreaterThan(at);
});

it('asks a bridge that is new, and forgets one that is gone without taking it for a failure', async () => {
  await node.vsctl('add-br', 'br-new');
  await expect.poll(() => flowsOf(observer.facts(), 'br-new'), SOON).toBe(1);
  failures.length = 0;
  await node.vsctl('del-br', 'br-new');
  await expect.poll(() => observer.facts().flowTables.has('br-new'), SOON).toBe(false);

  expect(observer.bridges()).toEqual(['br-int', 'br-provider', 'br-tor']);
  expect(failures).toEqual([]);
});

it('calls ovs-vswitchd silent that lives and does not answer, asks it nothing else, and hears of it again', async () => {
  await node.kill('ovs-vswitchd', 'SIGSTOP');
  await expect.poll(() => observer.facts().vswitchd.state, SOON).toBe('silent');
  // What was under way when it fell silent ends by itself, at deadlines before those of two further questions.
  await checksFail(2);
  const { flowTables, bonds, database } = observer.facts();
  const asked = new Set(await checksFail(1));
  await node.kill('ovs-vswitchd', 'SIGCONT');
  await expect.poll(() => observer.facts().vswitchd.state, SOON).toBe('answering');
  await expect.poll(() => flowsOf(observer.facts(), 'br-int'), SOON).toBe(1);

  expect(flowTables.get('br-int')).toMatchObject({ kind: 'unknown', why: expect.stringMatching(/is silent: /) });
  expect(bonds.get('bond0')).toMatchObject({ kind: 'unknown' });
  expect(database.state).toBe('connected');
  expect([...asked]).toEqual(['ovs-vswitchd']);
});

it('calls ovs-vswitchd gone that was killed, and finds the next one with its flows', async () => {
  const before = observer.facts().vswitchd.processId;
  await node.kill('ovs-vswitchd');
  await expect.poll(() => observer.facts().vswitchd.state, SOON).toBe('gone');
  const { configuration } = observer.facts();
  await node.start('ovs-vswitchd');
  await expect.poll(() => observer.facts().vswitchd, SOON).toMatchObject({ state: 'answering', version: '3.1.0' });
  await expect.poll(() => flowsOf(observer.facts(), 'br-int'), SOON).toBe(1);

  expect(configuration?.bridges).toHaveLength(3);
  expect(observer.facts().vswitchd.processId).not.toBe(before);
});

it('keeps what the database said while it is away, and knows that it is', async () => {
  await node.kill('ovsdb-server');
  await expect.poll(() => observer.facts().database.state, SOON).toBe('disconnected');
  await expect.poll(() => observer.facts().ovsdbServer.state, SOON).toBe('gone');
  const { configuration, database, vswitchd } = observer.facts();
  await node.start('ovsdb-server');
  await expect.poll(() => observer.facts().database.state, SOON).toBe('connected');
  await expect.poll(() => flowsOf(observer.facts(), 'br-int'), SOON).toBe(1);

  expect(configuration?.bridges).toHaveLength(3);
  expect(database.why).toBeDefined();
  expect(vswitchd.state).toBe('answering');
});

it(
  'does not wait for its next round to notice that ovs-vswitchd hangs, and that it is back',
  { timeout: 60_000 },
  async () => {
    await using world = startObserver([node.runDirectory], RARE);
    const { observer: slow } = world;
    await slow.ready(AbortSignal.timeout(10_000));

    await node.kill('ovs-vswitchd', 'SIGSTOP');
    await expect.poll(() => slow.facts().vswitchd.state, SOON).toBe('silent');
    await node.kill('ovs-vswitchd', 'SIGCONT');
    await expect.poll(() => flowsOf(slow.facts(), 'br-int'), SOON).toBe(1);
  },
);

it(
  'does not wait for its next round to hear of bridges after an outage of the database',
  { timeout: 60_000 },
  async () => {
    await using world = startObserver([node.runDirectory], RARE);
    const { observer: slow } = world;
    await slow.ready(AbortSignal.timeout(10_000));

    await node.kill('ovsdb-server');
    await expect.poll(() => slow.facts().flowTables.get('br-int')?.kind, SOON).toBe('unknown');
    await node.start('ovsdb-server');
    // It waits until ovs-vswitchd has found its database again.
    await node.ofctl('dump-aggregate', 'br-int');
    await expect.poll(() => flowsOf(slow.facts(), 'br-int'), SOON).toBe(1);
  },
);

it('hands connections out, and says of a daemon that is not there that it is not', async () => {
  const unixctl = await observer.unixctl('ovs-vswitchd', never);
  await using openFlow = await observer.openFlow('br-int', never);

  expect(await unixctl.run('version')).toContain('3.1.0');
  expect(await openFlow.aggregate()).toMatchObject({ flows: 1 });
  await expect(observer.unixctl('ovn-controller', never)).rejects.toMatchObject({ code: 'not-running' });
  await expect(observer.openFlow('../db', never)).rejects.toMatchObject({ code: 'invalid-argument' });
});

it('is ready where there is no Open vSwitch at all, and says so', async () => {
  await using empty = startObserver(['/nowhere/openvswitch']);

  await empty.observer.ready(AbortSignal.timeout(10_000));

  expect(empty.observer.facts()).toMatchObject({
    database: { state: 'disconnected' },
    vswitchd: { state: 'absent' },
    configuration: undefined,
    ovn: undefined,
  });
});

function startObserver(runDirectories: readonly string[] = [node.runDirectory], times: AgentTimes = QUICK) {
  const own = new AsyncDisposableStack();
  const opened = openObserver(
    {
      runDirectories,
      proc: '/proc',
      sysfs: '/sys',
      root: '/',
      times,
      southbound: undefined,
      libvirtUri: undefined,
      clock: systemClock,
      random: () => 0.5,
      logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } }),
      ignore: () => undefined,
      metrics: {
        observeRefresh: () => undefined,
        countFailure: (source) => failures.push(source),
        countReconnect: () => undefined,
      },
    },
    own,
  );
  const stop = new AbortController();
  const running = opened.run(stop.signal);
  const dispose = async (): Promise<void> => {
    stop.abort();
    await running;
    await own.disposeAsync();
  };
  return { observer: opened, [Symbol.asyncDispose]: dispose };
}

/** What failed until ovs-vswitchd did not answer so many questions whether it lives. */
async function checksFail(count: number): Promise<readonly string[]> {
  failures.length = 0;
  await expect
    .poll(() => failures.filter((source) => source === 'ovs-vswitchd').length, SOON)
    .toBeGreaterThanOrEqual(count);
  return [...failures];
}

function flowsOf({ flowTables }: SwitchFacts, bridge: string): number | undefined {
  const answer = flowTables.get(bridge);
  return answer?.kind === 'known' ? answer.value.reduce((sum, { flows }) => sum + flows, 0) : undefined;
}

function enabledMembers({ bonds }: SwitchFacts): number | undefined {
  const answer = bonds.get('bond0');
  return answer?.kind === 'known' ? answer.value?.members.filter(({ isEnabled }) => isEnabled).length : undefined;
}

function linkOf({ configuration }: SwitchFacts, name: string): string | undefined {
  const interfaces = configuration?.bridges.flatMap(({ ports }) => ports).flatMap((port) => port.interfaces);
  return interfaces?.find((facts) => facts.name === name)?.linkState;
}
