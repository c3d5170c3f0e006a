import { Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';

import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { MACHINE_COLUMNS } from '../../virtual-machines/list/machine-columns.tsx';
import { hostOf } from '../../virtual-machines/machine-facts.ts';
import type { Machine } from '../../virtual-machines/machine.ts';
import { useMachines } from '../../virtual-machines/use-machines.ts';

const COLUMNS = MACHINE_COLUMNS.filter(({ id }) => id !== 'host');

/** The virtual machines that run on a host now. */
export function HostMachines({ host }: { readonly host: string }): ReactElement {
  const { state, machines } = useMachines(undefined);
  const here = useMemo(() => machines.filter((machine) => hostOf(machine) === host), [machines, host]);
  return (
    <>
      <FollowNote
        state={state}
        isEmpty={here.length === 0}
        what="virtual machines"
        empty={<Text>No virtual machine runs here now.</Text>}
      />
      {here.length === 0 ? undefined : (
        <DataTable label={`Virtual machines on ${host}`} rows={here} columns={COLUMNS} rowKey={machineKey} />
      )}
    </>
  );
}

function machineKey({ key }: Machine): string {
  return key;
}
