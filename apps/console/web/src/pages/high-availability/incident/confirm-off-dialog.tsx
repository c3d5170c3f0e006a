import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import type { Incident } from '../fleet-objects.ts';
import { Note } from '../../../parts/note.tsx';
import { ReturnFocus } from '../../../parts/return-focus.tsx';

interface OffConfirmation {
  readonly host: string;
  readonly incidentId: string;
  readonly note: string;
}

export interface ConfirmOffDialogProps {
  readonly incident: Incident;
  /** Resolves whether it was taken; the dialog closes then. */
  readonly onConfirm: (confirmation: OffConfirmation) => Promise<boolean>;
  readonly onClose: () => void;
}

/** A person answers for it that a host is off. Host and incident are typed once more: a slip of the hand must not be enough. */
export function ConfirmOffDialog({ incident, onConfirm, onClose }: ConfirmOffDialogProps): ReactElement {
  const [typed, setTyped] = useState<OffConfirmation>({ host: '', incidentId: '', note: '' });
  const [isBusy, setIsBusy] = useState(false);
  const isWhole = typed.host === incident.host && typed.incidentId === incident.id && typed.note.trim() !== '';
  const confirm = async (): Promise<void> => {
    setIsBusy(true);
    const isTaken = await onConfirm({ ...typed, note: typed.note.trim() });
    setIsBusy(false);
    if (isTaken) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`Confirm that ${incident.host} is off?`} transitionProps={{ duration: 0 }}>
      <ReturnFocus />
      <Stack>
        <Note tone="bad" title="Its machines will be started elsewhere">
          If it still runs, they run twice and ruin their disks. Say so only when you have seen that its power is off.
        </Note>
        <TextInput
          label={`Type the name of the host: ${incident.host}`}
          data-autofocus
          value={typed.host}
          onChange={(event) => setTyped({ ...typed, host: event.currentTarget.value })}
        />
        <TextInput
          label={`Type the incident: ${incident.id}`}
          value={typed.incidentId}
          onChange={(event) => setTyped({ ...typed, incidentId: event.currentTarget.value })}
        />
        <TextInput
          label="How do you know?"
          description="It is kept in the journal with your name."
          value={typed.note}
          onChange={(event) => setTyped({ ...typed, note: event.currentTarget.value })}
        />
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={isBusy} disabled={!isWhole} onClick={() => void confirm()}>
            It is off
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
