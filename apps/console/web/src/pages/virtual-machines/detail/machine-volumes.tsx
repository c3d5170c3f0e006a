import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState, type ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import type { Column } from '../../../parts/data-table/column.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { useServices } from '../../../services.ts';
import { subresourcePath } from '../actions/run-machine-action.ts';
import type { Machine } from '../machine.ts';
import { AddVolumeDialog } from './add-volume-dialog.tsx';
import { volumeRows, type VolumeRow } from './volume-rows.ts';

/** The volumes of a machine; those that can be plugged in and out while it runs have buttons for it. */
export function MachineVolumes({ machine }: { readonly machine: Machine }): ReactElement {
  const { namespace, virtualMachine } = machine;
  const resource = virtualMachine === undefined ? 'virtualmachineinstances' : 'virtualmachines';
  const deed = { verb: 'update', group: 'subresources.kubevirt.io', resource, namespace };
  const [mayAdd = false, mayRemove = false] = useMayAll([
    { ...deed, subresource: 'addvolume' },
    { ...deed, subresource: 'removevolume' },
  ]);
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<string>();
  const { api } = useServices();
  const { act } = useAct();
  const rows = volumeRows(machine);
  const columns = useMemo(() => volumeColumns(mayRemove ? setRemoved : undefined), [mayRemove]);
  const remove = async (name: string): Promise<void> => {
    await act({ done: `${name} is being taken out`, failed: `${name} was not taken out` }, () =>
      api.call('PUT', subresourcePath(machine, resource, 'removevolume'), { body: { name } }),
    );
  };
  return (
    <Stack gap="sm">
      {mayAdd ? (
        <Group>
          <Button variant="default" onClick={() => setIsAdding(true)}>
            Add a volume
          </Button>
        </Group>
      ) : undefined}
      {rows.length === 0 ? (
        <Text>It has no volumes.</Text>
      ) : (
        <DataTable label="Volumes" rows={rows} columns={columns} rowKey={volumeKey} />
      )}
      {isAdding ? (
        <AddVolumeDialog machine={machine} resource={resource} onClose={() => setIsAdding(false)} />
      ) : undefined}
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={`Remove the volume ${removed ?? ''}?`}
        confirmLabel="Remove"
        isDangerous
        onConfirm={() => remove(removed ?? '')}
        onClose={() => setRemoved(undefined)}
      >
        <Text size="sm">
          The guest loses this disk at once. Have it let go of the disk first. The claim behind it stays.
        </Text>
      </ConfirmDialog>
    </Stack>
  );
}

function volumeKey({ name }: VolumeRow): string {
  return name;
}

function volumeColumns(onRemove: ((name: string) => void) | undefined): readonly Column<VolumeRow>[] {
  return [
    { id: 'name', label: 'Name', width: 'minmax(8rem, 1fr)', sortValue: ({ name }) => name, cell: ({ name }) => name },
    { id: 'source', label: 'From', width: 'minmax(10rem, 2fr)', cell: ({ source }) => source },
    { id: 'bus', label: 'As', width: '8rem', cell: ({ bus }) => bus },
    { id: 'state', label: 'State', width: 'minmax(8rem, 1fr)', cell: ({ state }) => state },
    {
      id: 'actions',
      label: '',
      width: '6rem',
      cell: ({ name, canBeRemoved }) =>
        canBeRemoved && onRemove !== undefined ? (
          <Button variant="subtle" size="compact-xs" aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
            Remove
          </Button>
        ) : undefined,
    },
  ];
}
