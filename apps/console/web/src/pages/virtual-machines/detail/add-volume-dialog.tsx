import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { failureLines } from '../../../frame/notices/use-act.ts';
import { ReturnFocus } from '../../../parts/return-focus.tsx';
import { useServices } from '../../../services.ts';
import { subresourcePath } from '../actions/run-machine-action.ts';
import type { Machine } from '../machine.ts';
import { Note } from '../../../parts/note.tsx';

export interface AddVolumeDialogProps {
  readonly machine: Machine;
  readonly resource: 'virtualmachines' | 'virtualmachineinstances';
  readonly onClose: () => void;
}

/** Plugs a claim into a machine, running or not. */
export function AddVolumeDialog({ machine, resource, onClose }: AddVolumeDialogProps): ReactElement {
  const { api, notices } = useServices();
  const [name, setName] = useState('');
  const [claim, setClaim] = useState('');
  const [bus, setBus] = useState<string | null>('scsi');
  const [failure, setFailure] = useState<readonly string[]>([]);
  const add = async (): Promise<void> => {
    const body = {
      name,
      disk: { disk: { bus }, serial: name },
      volumeSource: { persistentVolumeClaim: { claimName: claim, hotpluggable: true } },
    };
    try {
      await api.call('PUT', subresourcePath(machine, resource, 'addvolume'), { body });
      notices.tell({ tone: 'done', title: `${name} is being plugged into ${machine.name}`, lines: [] });
      onClose();
    } catch (error) {
      setFailure(failureLines(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Add a volume to ${machine.name}`} transitionProps={{ duration: 0 }}>
      <ReturnFocus />
      <Stack>
        <TextInput
          label="Name"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Claim"
          description="A PersistentVolumeClaim of the same namespace."
          required
          value={claim}
          onChange={(event) => setClaim(event.currentTarget.value)}
        />
        <Select label="Bus" data={['scsi', 'virtio']} allowDeselect={false} value={bus} onChange={setBus} />
        {failure.length === 0 ? undefined : (
          <Note tone="bad" role="alert" title="The volume was not added">
            {failure.join(' ')}
          </Note>
        )}
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={name === '' || claim === ''} onClick={() => void add()}>
            Add
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
