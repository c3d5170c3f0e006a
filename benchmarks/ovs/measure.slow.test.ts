import { startOvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fillNode, makeBridges } from './fill-node.ts';
import { measureLosses } from './measure-losses.ts';
import { measureRefresh } from './measure-refresh.ts';
import { measureRest } from './measure-rest.ts';
import { measureSwarm } from './measure-swarm.ts';
import { measureTools } from './measure-tools.ts';
import { startOvsWorld, type OvsWorld } from './ovs-world.ts';
import { runOvsAgent } from './run-ovs-agent.ts';

describe('the benchmark of the OVS agent', { timeout: 120_000 }, () => {
  let world: OvsWorld;

  beforeAll(async () => {
    world = await startOvsWorld('sources', inTime());
  });

  afterAll(() => world[Symbol.asyncDispose]());

  it('measures what a look costs, and how soon a lost link is told', async () => {
    const signal = inTime();
    await using node = await startOvsNode({ datapath: 'dummy', name: 'small' });
    await makeBridges(node);
    await fillNode(node, { ports: 10, flows: 2_000 });

    const tools = await measureTools(node, 1, signal);
    const refresh = await measureRefresh({
      world,
      node,
      plan: { quietSeconds: 0.2, busySeconds: 1, settleSeconds: 0 },
      signal,
    });
    await using agent = await runOvsAgent(world, node, { signal });
    const rest = await measureRest(agent, 0.5, signal);
    const losses = await measureLosses(world, node, { where: 'small', rounds: 2, signal });

    expect(tools.map(({ name }) => name)).toEqual([
      'ovs-ofctl dump-flows br-int',
      'ovs-ofctl dump-aggregate br-int',
      'ovs-vsctl show',
    ]);
    expect(tools[0]?.vswitchdMs).toBeGreaterThan(0);
    expect(refresh.refreshes).toBeGreaterThanOrEqual(1);
    expect(refresh.presence.name).toContain('between refreshes');
    expect(rest.peakBytes).toBeGreaterThan(30e6);
    expect(rest.cpuShare).toBeGreaterThan(0);
    expect(losses).toEqual({ where: 'small', times: [expect.any(Number), expect.any(Number)] });
  });

  it('measures agents that share a machine', async () => {
    const plan = { agents: 2, agentsPerProcess: 1, losses: 2 };

    const result = await measureSwarm(world, { plan, progress: () => undefined, signal: inTime() });

    expect(result).toMatchObject({ agents: 2, lossMs: [expect.any(Number), expect.any(Number)] });
    expect(result.residentBytes).toBeGreaterThan(60e6);
  });
});

function inTime(): AbortSignal {
  return AbortSignal.timeout(110_000);
}
