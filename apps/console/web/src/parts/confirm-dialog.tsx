import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type ReactElement, type ReactNode } from 'react';

import { ReturnFocus } from './return-focus.tsx';

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  /** The question. */
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly children: ReactNode;
  /** What the button says: the deed, not "OK". */
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  /** Has to be typed first, for what cannot be undone. */
  readonly nameToType?: string | undefined;
  /** The dialog closes when it has resolved. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title} transitionProps={{ duration: 0 }}>
      <ConfirmForm {...props} />
    </Modal>
  );
}

function ConfirmForm({
  children,
  confirmLabel,
  isDangerous,
  nameToType,
  onConfirm,
  onClose,
}: ConfirmDialogProps): ReactElement {
  const [typed, setTyped] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const isSure = nameToType === undefined || typed === nameToType;
  const confirm = async (): Promise<void> => {
    setIsBusy(true);
    await onConfirm();
    setIsBusy(false);
    onClose();
  };
  return (
    <Stack>
      <ReturnFocus />
      <div>{children}</div>
      {nameToType === undefined ? undefined : (
        <TextInput
          label={`Type ${nameToType} to confirm`}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Group justify="end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          {...(isDangerous === true ? { color: 'red' } : {})}
          loading={isBusy}
          disabled={!isSure}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Stack>
  );
}
