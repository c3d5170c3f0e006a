import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { OVSNode } from '@smalt/ovs-api';
import type { ReactElement } from 'react';

import { Conditions } from '../../../parts/conditions.tsx';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { KeyValues } from '../../../parts/key-values.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Section } from '../../../parts/section.tsx';
import { PictureSection } from '../picture/picture-section.tsx';
import type { SwitchPartProps } from '../picture/switch-part-props.ts';
import { switchConditions } from '../switch-conditions.ts';
import { SwitchIssues } from './switch-issues.tsx';
import { bondWords, bridgeWords, cardWords, controllerWords } from './switch-words.ts';

/** The picture of a switch, what is wrong with it, and what it is. */
export function SwitchOverview({ node, view, answer, offered, onView }: SwitchPartProps): ReactElement {
  const { issues = [], conditions = [] } = node.status ?? {};
  return (
    <Stack>
      {issues.length === 0 ? undefined : <SwitchIssues issues={issues} />}
      <PictureSection node={node} view={view} answer={answer} offered={offered} onView={onView} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Facts node={node} />
        <Section title="Conditions">
          <Conditions conditions={conditions} meanings={switchConditions(node.status)} />
        </Section>
        <Bridges node={node} />
        <Cards node={node} />
      </SimpleGrid>
    </Stack>
  );
}

function Facts({ node }: { readonly node: OVSNode }): ReactElement {
  const { ovsVersion, ovsdVersion, dpdkEnabled, dpdkVersion, ovnController, metrics, flowStats } = node.status ?? {};
  const { name } = node.spec.nodeRef;
  return (
    <Section title="Facts">
      <KeyValues
        entries={[
          {
            name: 'Host',
            value: (
              <LinkTo to="/fleet/$host" params={{ host: name }}>
                {name}
              </LinkTo>
            ),
          },
          { name: 'Open vSwitch', value: ovsVersion },
          { name: 'Database server', value: ovsdVersion },
          { name: 'DPDK', value: dpdkEnabled === true ? (dpdkVersion ?? 'on') : 'off' },
          { name: 'OVN', value: controllerWords(ovnController) },
          { name: 'Chassis', value: ovnController?.chassisId },
          { name: 'Flows', value: flowStats?.totalFlows?.toLocaleString() },
          { name: 'Received', value: traffic(metrics?.bytesReceived, metrics?.packetsReceived) },
          { name: 'Sent', value: traffic(metrics?.bytesSent, metrics?.packetsSent) },
          { name: 'Dropped', value: metrics?.drops?.toLocaleString() },
          { name: 'Damaged', value: metrics?.errors?.toLocaleString() },
        ]}
      />
    </Section>
  );
}

function Bridges({ node }: { readonly node: OVSNode }): ReactElement {
  const bridges = node.status?.bridges ?? [];
  return (
    <Section title="Bridges">
      {bridges.length === 0 ? <Text c="dimmed">It has no bridges.</Text> : undefined}
      <KeyValues entries={bridges.map((bridge) => ({ name: bridge.name, value: bridgeWords(bridge) }))} />
    </Section>
  );
}

function Cards({ node }: { readonly node: OVSNode }): ReactElement {
  const { bonds = [], physical = [] } = node.status?.interfaces ?? {};
  return (
    <Section title="Bonds and network cards">
      {bonds.length + physical.length === 0 ? <Text c="dimmed">It uses no network card of the host.</Text> : undefined}
      <KeyValues
        entries={[
          ...bonds.map((bond) => ({ name: bond.name, value: bondWords(bond) })),
          ...physical.map((card) => ({ name: card.name, value: cardWords(card) })),
        ]}
      />
    </Section>
  );
}

function traffic(bytes: number | undefined, packets: number | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  return packets === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} in ${packets.toLocaleString()} packets`;
}
