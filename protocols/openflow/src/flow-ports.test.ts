import { expect, it } from 'vitest';

import { portsOfFlow } from './flow-ports.ts';
import { readRecordedBridges } from './fixtures/recorded-bridge.ts';
import { type Flow, printFlow, readFlowStats } from './index.ts';

it.each([
  { text: 'table=1, priority=1,in_port=1,dl_vlan=10,dl_vlan_pcp=3', ports: [1, 2] },
  { text: 'table=5, priority=3,ip', ports: [1, 2] },
  { text: 'table=7, priority=5 ', ports: [1] },
  { text: 'table=7, priority=9,in_port=LOCAL', ports: [2] },
  { text: 'table=1, priority=4,', ports: [] },
])('finds the ports $ports of the flow $text', ({ text, ports }) => {
  const found = portsOfFlow(recorded(text));

  expect(found).toEqual(new Set(ports));
});

function recorded(text: string): Flow {
  const [bridge] = readRecordedBridges();
  const flow = bridge?.flows
    .flatMap((part) => [...readFlowStats(bridge.version, part)])
    .find((candidate) => printFlow(candidate).startsWith(text));
  if (flow === undefined) throw new Error(`no recorded flow begins with ${text}`);
  return flow;
}
