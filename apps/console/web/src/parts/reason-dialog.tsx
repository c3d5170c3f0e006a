import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactElement, type ReactNode } from 'react';

import { ReturnFocus } from './return-focus.tsx';

export interface ReasonDialogProps {
  /** The question. */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  /** Gets the reason that was given. The dialog closes when it has resolved. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks why before something is done that others will wonder about. */
export function ReasonDialog({ title, children, confirmLabel, onConfirm, onClose }: ReasonDialogProps): ReactElement {
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setIsBusy(true);
    await onConfirm(reason.trim());
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} transitionProps={{ duration: 0 }}>
      <ReturnFocus />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          <Text size="sm">{children}</Text>
          <TextInput
            label="Reason"
            description="Others will see it."
            required
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={reason.trim() === ''}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
