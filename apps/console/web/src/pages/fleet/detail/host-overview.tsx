import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Hypervisor } from '@smalt/fleet-api';
import { ovsNodeKind } from '@smalt/ovs-api';
import type { ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { Age } from '../../../parts/age.tsx';
import { Conditions } from '../../../parts/conditions.tsx';
import { KeyValues } from '../../../parts/key-values.tsx';
import { LifecycleDiagram } from '../../../parts/lifecycle-diagram.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Section } from '../../../parts/section.tsx';
import { HOST_CONDITIONS } from '../host-conditions.ts';
import { systemOf } from '../host-facts.ts';
import { HOST_STATE_CHANGES, HOST_STATES } from '../host-lifecycle.ts';
import { hostState } from '../host-state.ts';
import { EvictionSection } from '../maintenance/eviction-section.tsx';
import { HostCells } from './host-cells.tsx';
import { HostUsageGraphs } from './host-usage-graphs.tsx';

/** What a host is, where it is in its life, how it does, and what it uses. */
export function HostOverview({ host }: { readonly host: Hypervisor }): ReactElement {
  const { name } = host.metadata;
  const { lifecycleState, conditions = [] } = host.status ?? {};
  const mayMeasure = useMay({
    verb: 'get',
    group: 'subresources.kubevirt.io',
    resource: 'nodes',
    subresource: 'usage',
  });
  return (
    <Stack>
      <EvictionSection host={name} />
      {lifecycleState === undefined ? undefined : (
        <Section title="Life">
          <LifecycleDiagram
            label={`Life of ${name}`}
            states={HOST_STATES}
            edges={HOST_STATE_CHANGES}
            current={lifecycleState}
            tone={hostState(host).tone}
          />
        </Section>
      )}
      {mayMeasure ? <HostUsageGraphs host={name} /> : undefined}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Facts host={host} />
        <Section title="Conditions">
          <Conditions conditions={conditions} meanings={HOST_CONDITIONS} />
        </Section>
        <HostCells host={host} />
        <HostSwitches host={name} />
      </SimpleGrid>
    </Stack>
  );
}

function Facts({ host }: { readonly host: Hypervisor }): ReactElement {
  const { metadata, spec, status } = host;
  const { operatingSystem, domainCapabilities, updateStatus } = status ?? {};
  const hardware = [operatingSystem?.hardwareVendor, operatingSystem?.hardwareModel].filter(Boolean).join(' ');
  return (
    <Section title="Facts">
      <KeyValues
        entries={[
          { name: 'Address', value: status?.internalIp },
          { name: 'Virtual machines', value: status?.numInstances },
          {
            name: 'Guests',
            value: [domainCapabilities?.hypervisorType, domainCapabilities?.arch].filter(Boolean).join(', '),
          },
          { name: 'libvirt', value: status?.libVirtVersion },
          { name: 'Hypervisor', value: status?.hypervisorVersion },
          { name: 'System', value: systemOf(host) },
          { name: 'Update', value: updateStatus?.inProgress === true ? 'runs now' : updateStatus?.installed },
          { name: 'Hardware', value: hardware },
          { name: 'Firmware', value: operatingSystem?.firmwareVersion },
          { name: 'High availability', value: spec?.highAvailability === false ? 'off' : 'on' },
          { name: 'Maintenance', value: [spec?.maintenance, spec?.maintenanceReason].filter(Boolean).join(': ') },
          { name: 'Joined', value: <Age at={metadata.creationTimestamp} /> },
        ]}
      />
    </Section>
  );
}

function HostSwitches({ host }: { readonly host: string }): ReactElement {
  const { objects } = useFollowed(ovsNodeKind);
  const switches = objects.filter(({ metadata }) => metadata.name === host);
  return (
    <Section title="Network">
      {switches.length === 0 ? <Text c="dimmed">No agent of Open vSwitch reports from this host.</Text> : undefined}
      {switches.map(({ metadata: { namespace = '', name }, status }) => (
        <KeyValues
          key={`${namespace}/${name}`}
          entries={[
            {
              name: 'Switch',
              value: (
                <LinkTo to="/network/$namespace/$node" params={{ namespace, node: name }}>
                  {namespace}/{name}
                </LinkTo>
              ),
            },
            { name: 'Bridges', value: status?.bridges?.map((bridge) => bridge.name).join(', ') },
            { name: 'Issues', value: status?.issues?.length ?? 0 },
          ]}
        />
      ))}
    </Section>
  );
}
