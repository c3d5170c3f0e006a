import { Tabs, Text } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { LogView } from '../../../parts/log-view.tsx';
import { OfferedPart } from '../../../parts/offered-part.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { MachineActions } from '../actions/machine-actions.tsx';
import { subresourcePath } from '../actions/run-machine-action.ts';
import { machineState } from '../machine-state.ts';
import type { Machine } from '../machine.ts';
import { useMachine } from '../use-machines.ts';
import { MachineEvents } from './machine-events.tsx';
import { MachineOverview } from './machine-overview.tsx';
import { MACHINE_TABS, tabDeed, type MachineTab } from './machine-tab.ts';
import { MachineVolumes } from './machine-volumes.tsx';
import { MachineYaml } from './machine-yaml.tsx';

const ROUTE = '/virtual-machines/$namespace/$name';
const SerialConsole = lazy(async () => ({ default: (await import('../console/serial-console.tsx')).SerialConsole }));
const Display = lazy(async () => ({ default: (await import('../display/display.tsx')).Display }));

/** All about one virtual machine. */
export function MachinePage(): ReactElement {
  const { namespace, name } = useParams({ from: ROUTE });
  const { state, machine } = useMachine(namespace, name);
  return (
    <Page
      title={name}
      trail={
        <>
          <LinkTo to="/virtual-machines">Virtual machines</LinkTo> / {namespace}
        </>
      }
      aside={machine === undefined ? undefined : <StatusBadge {...machineState(machine)} />}
      actions={machine === undefined ? undefined : <MachineActions machine={machine} />}
    >
      <FollowNote
        state={state}
        isEmpty={machine === undefined}
        what={`${namespace}/${name}`}
        empty={<Text>There is no virtual machine with this name. It may have been deleted.</Text>}
      />
      {machine === undefined ? undefined : <MachineTabs machine={machine} />}
    </Page>
  );
}

function MachineTabs({ machine }: { readonly machine: Machine }): ReactElement {
  const { tab = 'overview' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const answers = useMayAll(MACHINE_TABS.map(({ name }) => tabDeed(name, machine)));
  const offered = MACHINE_TABS.filter((_tab, index) => answers[index] === true);
  const open = (name: string | null): void => {
    const found = MACHINE_TABS.find((candidate) => candidate.name === name);
    if (found !== undefined)
      void navigate({ search: found.name === 'overview' ? {} : { tab: found.name }, replace: true });
  };
  return (
    <Tabs value={tab} onChange={open}>
      <Tabs.List mb="md" aria-label={`About ${machine.name}`}>
        {offered.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <Suspense fallback={<Text role="status">Loading …</Text>}>
          <OfferedPart deed={tabDeed(tab, machine)}>
            <TabContent tab={tab} machine={machine} />
          </OfferedPart>
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

function TabContent({ tab, machine }: { readonly tab: MachineTab; readonly machine: Machine }): ReactElement {
  const { name, instance } = machine;
  const pathOfInstance = (subresource: string): string =>
    subresourcePath(machine, 'virtualmachineinstances', subresource);
  const isThere = instance !== undefined;
  switch (tab) {
    case 'overview':
      return <MachineOverview machine={machine} />;
    case 'console':
      return isThere ? <SerialConsole name={name} path={pathOfInstance('console')} /> : <NotRunning />;
    case 'display':
      return isThere ? <Display name={name} path={pathOfInstance('vnc')} /> : <NotRunning />;
    case 'events':
      return <MachineEvents machine={machine} />;
    case 'volumes':
      return <MachineVolumes machine={machine} />;
    case 'log':
      return isThere ? <LogView label={`Log of ${name}`} path={pathOfInstance('logs')} /> : <NotRunning />;
    case 'yaml':
      return <MachineYaml machine={machine} />;
  }
}

function NotRunning(): ReactElement {
  return <Text>The machine does not run. Start it first.</Text>;
}
