import { Button, Group } from '@mantine/core';
import { evictionKind, type Hypervisor } from '@smalt/fleet-api';
import { useState, type ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { ReasonDialog } from '../../../parts/reason-dialog.tsx';
import { useServices } from '../../../services.ts';
import { changeMaintenance } from './change-maintenance.ts';
import { orderEviction } from './order-eviction.ts';

/** What can be done to a host: maintenance on and off, and emptying it. What one may not do is not offered. */
export function HostActions({ host }: { readonly host: Hypervisor }): ReactElement {
  const { name } = host.metadata;
  const [mayChange = false, mayEvict = false] = useMayAll([
    { verb: 'patch', group: 'kvm.cloud.sap', resource: 'hypervisors', name },
    { verb: 'create', group: 'kvm.cloud.sap', resource: 'evictions' },
  ]);
  const [asked, setAsked] = useState<'maintenance' | 'eviction'>();
  const { maintenance = '' } = host.spec ?? {};
  // One that is there is shown below, where it can be stopped or cleared away.
  const isOrdered = useFollowed(evictionKind).objects.some(({ spec }) => spec?.hypervisor === name);
  const deeds = useDeeds(name);
  const close = (): void => setAsked(undefined);
  return (
    <Group gap="xs">
      {mayChange && maintenance === '' ? (
        <Button onClick={() => setAsked('maintenance')}>Begin maintenance</Button>
      ) : undefined}
      {mayChange && maintenance === 'manual' ? (
        <Button loading={deeds.isActing} onClick={() => void deeds.endMaintenance()}>
          End maintenance
        </Button>
      ) : undefined}
      {mayEvict && maintenance === '' && !isOrdered ? (
        <Button variant="default" onClick={() => setAsked('eviction')}>
          Empty it
        </Button>
      ) : undefined}
      {asked === 'maintenance' ? (
        <ReasonDialog
          title={`Begin maintenance of ${name}?`}
          confirmLabel="Begin maintenance"
          onConfirm={deeds.beginMaintenance}
          onClose={close}
        >
          It takes no more virtual machines, and those it has move to other hosts. It stays empty until maintenance
          ends.
        </ReasonDialog>
      ) : undefined}
      {asked === 'eviction' ? (
        <ReasonDialog title={`Empty ${name}?`} confirmLabel="Empty it" onConfirm={deeds.evict} onClose={close}>
          Its virtual machines move to other hosts. It takes no others until the eviction is deleted.
        </ReasonDialog>
      ) : undefined}
    </Group>
  );
}

interface HostDeeds {
  readonly isActing: boolean;
  readonly beginMaintenance: (reason: string) => Promise<unknown>;
  readonly endMaintenance: () => Promise<unknown>;
  readonly evict: (reason: string) => Promise<unknown>;
}

function useDeeds(name: string): HostDeeds {
  const { api } = useServices();
  const { act, isActing } = useAct();
  return {
    isActing,
    beginMaintenance: (reason) =>
      act({ done: `Maintenance of ${name} begins`, failed: `Maintenance of ${name} does not begin` }, () =>
        changeMaintenance(api, { host: name, from: '', to: 'manual', reason }),
      ),
    endMaintenance: () =>
      act({ done: `Maintenance of ${name} ends`, failed: `Maintenance of ${name} does not end` }, () =>
        changeMaintenance(api, { host: name, from: 'manual', to: '', reason: '' }),
      ),
    evict: (reason) =>
      act({ done: `${name} is being emptied`, failed: `${name} is not being emptied` }, () =>
        orderEviction(api, name, reason),
      ),
  };
}
