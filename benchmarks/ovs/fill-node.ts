import type { OvsNode } from '@smalt/bed-ovs';

import { BenchmarkError } from '../src/benchmark-error.ts';
import type { NodeSize } from './ovs-plan.ts';

const PORTS_AT_ONCE = 250;
const TABLES = 100;

/** The bridges of a hypervisor, with a bond that has a partner. */
export async function makeBridges(node: OvsNode): Promise<void> {
  const bridges = ['br-int', 'br-ex', 'br-provider'];
  const commands = bridges.map((name) => ['add-br', name, '--', 'set', 'bridge', name, 'datapath_type=netdev']);
  await node.vsctl(...commands.flatMap((command) => ['--', ...command]));
  const bond = await node.addBond();
  await bond.settled();
}

/** Fills `br-int`, and sees that all of it is there. */
export async function fillNode(node: OvsNode, { ports, flows }: NodeSize): Promise<void> {
  for (let first = 0; first < ports; first += PORTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(PORTS_AT_ONCE, ports - first) }, (_, index) => first + index + 1);
    // It takes longer than a tool waits by default, so nobody waits until the end.
    await node.vsctl('--no-wait', ...numbers.flatMap((number) => guestPort(number)));
  }
  await node.vsctl('--timeout=120', 'set', 'Open_vSwitch', '.', 'external-ids:filled=true');
  await node.addFlows(
    'br-int',
    Array.from({ length: flows }, (_, index) => flowOf(index)),
  );
  const said = await node.ofctl('dump-aggregate', 'br-int');
  const count = Number(/flow_count=(\d+)/.exec(said)?.[1]);
  // One more: the flow that a new bridge begins with.
  if (count !== flows + 1) throw new BenchmarkError('unequal-work', `${count} flows instead of ${flows + 1}`);
}

function guestPort(number: number): readonly string[] {
  const device = `tap${number}`;
  const marks = [`external_ids:iface-id=vm${number}`, 'external_ids:iface-status=active'];
  return ['--', 'add-port', 'br-int', device, '--', 'set', 'interface', device, ...marks];
}

function flowOf(index: number): string {
  const table = index % TABLES;
  const [third, fourth] = [Math.floor(index / TABLES / 250), Math.floor(index / TABLES) % 250];
  const cookie = `0x${(index + 1).toString(16)}`;
  const match = `ip,nw_src=10.${table}.${third}.${fourth},nw_dst=10.200.${third}.${fourth}`;
  return `cookie=${cookie},table=${table + 1},priority=${(index % 1_000) + 1},${match},actions=resubmit(,${table + 2})`;
}
