import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { hypervisorKind } from '@smalt/fleet-api';
import { useState, type ReactElement } from 'react';

import { useAct } from '../../../frame/notices/use-act.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { ReturnFocus } from '../../../parts/return-focus.tsx';
import { useServices } from '../../../services.ts';
import { hostOf } from '../machine-facts.ts';
import type { Machine } from '../machine.ts';
import { runMachineAction } from './run-machine-action.ts';

/** Asks where a machine should go, and has it go there. */
export function MigrateDialog({
  machine,
  onClose,
}: {
  readonly machine: Machine;
  readonly onClose: () => void;
}): ReactElement {
  const { api } = useServices();
  const { act, isActing } = useAct();
  const { objects } = useFollowed(hypervisorKind);
  const [host, setHost] = useState<string | null>(null);
  const hosts = objects.map(({ metadata }) => metadata.name).filter((name) => name !== hostOf(machine));
  const migrate = async (): Promise<void> => {
    const words = { done: `A migration of ${machine.name} was asked for`, failed: `${machine.name} does not move` };
    await act(words, () => runMachineAction(api, 'migrate', machine, { host: host ?? undefined }));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`Migrate ${machine.name}?`} transitionProps={{ duration: 0 }}>
      <ReturnFocus />
      <Stack>
        <Text size="sm">
          The guest keeps running while its memory is sent to another host. It stands still only for a moment, at the
          end.
        </Text>
        <Select
          label="To the host"
          placeholder="Any that has room"
          clearable
          data={hosts.toSorted()}
          value={host}
          onChange={setHost}
        />
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isActing} onClick={() => void migrate()}>
            Migrate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
