import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { Age } from '../../../parts/age.tsx';
import { Conditions } from '../../../parts/conditions.tsx';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { KeyValues } from '../../../parts/key-values.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Section } from '../../../parts/section.tsx';
import { addressesOf, hostOf, memoryBytesOf, vcpusOf } from '../machine-facts.ts';
import { conditionsOf, MACHINE_CONDITIONS } from '../machine-conditions.ts';
import { isRunning } from '../machine-state.ts';
import type { Machine } from '../machine.ts';
import { MigrationSection } from '../migration/migration-section.tsx';
import { UsageGraphs } from '../usage/usage-graphs.tsx';
import { useUsage } from '../usage/use-usage.ts';

/** What a machine is, how it does, and what it uses. */
export function MachineOverview({ machine }: { readonly machine: Machine }): ReactElement {
  const { namespace } = machine;
  const mayMeasure = useMay({
    verb: 'get',
    group: 'subresources.kubevirt.io',
    resource: 'virtualmachineinstances',
    subresource: 'usage',
    namespace,
  });
  return (
    <Stack>
      {mayMeasure ? <Measured machine={machine} /> : <MigrationSection machine={machine} history={[]} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Facts machine={machine} />
        <Section title="Conditions">
          <Conditions conditions={conditionsOf(machine)} meanings={MACHINE_CONDITIONS} />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function Measured({ machine }: { readonly machine: Machine }): ReactElement {
  const { state, history } = useUsage(machine);
  return (
    <>
      <MigrationSection machine={machine} history={history} />
      <Section title="Usage">
        {isRunning(machine) ? (
          <UsageGraphs state={state} history={history} />
        ) : (
          <Text c="dimmed">It uses nothing: it does not run.</Text>
        )}
      </Section>
    </>
  );
}

function Facts({ machine }: { readonly machine: Machine }): ReactElement {
  const { virtualMachine, instance } = machine;
  const host = hostOf(machine);
  const { guestOSInfo, interfaces = [] } = instance?.status ?? {};
  const { metadata } = virtualMachine ?? instance ?? {};
  return (
    <Section title="Facts">
      <KeyValues
        entries={[
          {
            name: 'Host',
            value:
              host === '' ? undefined : (
                <LinkTo to="/fleet/$host" params={{ host }}>
                  {host}
                </LinkTo>
              ),
          },
          { name: 'Virtual processors', value: vcpusOf(machine) },
          { name: 'Memory', value: formatBytes(memoryBytesOf(machine)) },
          { name: 'Addresses', value: addressesOf(machine).join(', ') },
          {
            name: 'MAC addresses',
            value: interfaces.flatMap(({ mac }) => (mac === undefined ? [] : [mac])).join(', '),
          },
          { name: 'Guest', value: guestOSInfo?.prettyName },
          { name: 'Driver', value: instance?.spec.hypervisor ?? virtualMachine?.spec.template.spec?.hypervisor },
          { name: 'Run strategy', value: virtualMachine?.spec.runStrategy },
          { name: 'On eviction', value: instance?.spec.evictionStrategy },
          { name: 'Created', value: <Age at={metadata?.creationTimestamp} /> },
          { name: 'Running since', value: <Age at={runningSince(machine)} /> },
        ]}
      />
    </Section>
  );
}

function runningSince({ instance }: Machine): string | undefined {
  const transitions = instance?.status?.phaseTransitionTimestamps ?? [];
  return transitions.findLast(({ phase }) => phase === 'Running')?.phaseTransitionTimestamp ?? undefined;
}
