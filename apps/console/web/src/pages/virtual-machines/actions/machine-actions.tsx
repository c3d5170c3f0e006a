import { Button, Group, Menu, Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { useServices } from '../../../services.ts';
import type { Machine } from '../machine.ts';
import { MACHINE_ACTIONS, type MachineAction } from './machine-action.ts';
import { MigrateDialog } from './migrate-dialog.tsx';
import { runMachineAction } from './run-machine-action.ts';

/** How many are buttons; the rest is in a menu. */
const BUTTONS = 3;

/** All that can be done to a machine now, by this user. */
export function MachineActions({ machine }: { readonly machine: Machine }): ReactElement {
  const [asked, setAsked] = useState<MachineAction>();
  const { api } = useServices();
  const { act, isActing } = useAct();
  const answers = useMayAll(MACHINE_ACTIONS.map(({ deed }) => deed(machine)));
  const offered = MACHINE_ACTIONS.filter((action, index) => answers[index] === true && action.isPossible(machine));
  const run = async (action: MachineAction): Promise<void> => {
    await act({ done: action.done(machine.name), failed: `${action.label} of ${machine.name} failed` }, () =>
      runMachineAction(api, action.name, machine),
    );
  };
  const choose = (action: MachineAction): void => {
    if (action.warning === undefined && action.name !== 'migrate') void run(action);
    else setAsked(action);
  };
  return (
    <Group gap="xs">
      {offered.slice(0, BUTTONS).map((action) => (
        <Button key={action.name} variant="default" disabled={isActing} onClick={() => choose(action)}>
          {action.label}
        </Button>
      ))}
      {offered.length > BUTTONS ? <MoreActions actions={offered.slice(BUTTONS)} onChoose={choose} /> : undefined}
      {asked?.name === 'migrate' ? <MigrateDialog machine={machine} onClose={() => setAsked(undefined)} /> : undefined}
      {asked === undefined || asked.name === 'migrate' ? undefined : (
        <ConfirmDialog
          isOpen
          title={`${asked.label} ${machine.name}?`}
          confirmLabel={asked.label}
          isDangerous={asked.name === 'delete'}
          nameToType={asked.name === 'delete' ? machine.name : undefined}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        >
          <Text size="sm">{asked.warning}</Text>
        </ConfirmDialog>
      )}
    </Group>
  );
}

interface MoreActionsProps {
  readonly actions: readonly MachineAction[];
  readonly onChoose: (action: MachineAction) => void;
}

function MoreActions({ actions, onChoose }: MoreActionsProps): ReactElement {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">More actions</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.name}
            {...(action.name === 'delete' ? { color: 'red' } : {})}
            onClick={() => onChoose(action)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
