import type { OvsNode } from '@smalt/bed-ovs';
import type { OVSNode } from '@smalt/ovs-api';

import { untilQuiet } from '../node-agent/until-quiet.ts';
import { openLinkSwitch } from './link-switch.ts';
import type { OvsWorld } from './ovs-world.ts';
import type { LossResult } from './ovs-result.ts';
import { isFilled } from './run-ovs-agent.ts';

const SEEN_TIMEOUT_MS = 30_000;
const DEVICE = 'eno2';

/** Takes a member of the bond down again and again, each time when all is quiet, and waits for the OVSNode to say so. */
export async function measureLosses(
  { watch }: { readonly watch: Pick<OvsWorld['watch'], 'until' | 'quietMs'> },
  node: OvsNode,
  { where, rounds, signal }: { readonly where: string; readonly rounds: number; readonly signal: AbortSignal },
): Promise<LossResult> {
  await using link = await openLinkSwitch(node, DEVICE, signal);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(SEEN_TIMEOUT_MS)]);
    await watch.until(node.name, isFilled, inTime);
    await untilQuiet(() => watch.quietMs, signal);
    const seen = watch.until(node.name, isLost, inTime);
    const began = performance.now();
    await link.set('down');
    times.push((await seen) - began);
    await link.set('up');
  }
  return { where, times };
}

/** Whether it says that the interface is down and that its bond has lost a member. */
function isLost({ status }: OVSNode): boolean {
  const device = status?.interfaces?.physical?.find(({ name }) => name === DEVICE);
  const bond = status?.interfaces?.bonds?.[0];
  return device?.status === 'Down' && bond?.activeMembers === 1 && bond.status === 'Degraded';
}
