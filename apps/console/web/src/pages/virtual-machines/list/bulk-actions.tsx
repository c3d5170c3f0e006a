import { Button, Group, List, Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { useServices } from '../../../services.ts';
import { MACHINE_ACTIONS, type MachineAction } from '../actions/machine-action.ts';
import { runMachineAction } from '../actions/run-machine-action.ts';
import type { Machine } from '../machine.ts';

const OFFERED: readonly MachineAction[] = MACHINE_ACTIONS.filter(({ name }) => name !== 'cancelMigration');
const SHOWN_BY_NAME = 20;

/** What can be done to all selected machines at once. Those it does not fit are left as they are. */
export function BulkActions({ machines }: { readonly machines: readonly Machine[] }): ReactElement {
  const [asked, setAsked] = useState<MachineAction>();
  const { api } = useServices();
  const { act } = useAct();
  const fits = (action: MachineAction): readonly Machine[] => machines.filter((machine) => action.isPossible(machine));
  const isAllowed = useAllowed(machines);
  const runAll = async (action: MachineAction): Promise<void> => {
    await Promise.all(
      fits(action).map((machine) =>
        act({ done: action.done(machine.name), failed: `${action.label} of ${machine.name} failed` }, () =>
          runMachineAction(api, action.name, machine),
        ),
      ),
    );
  };
  return (
    <Group gap="xs" role="toolbar" aria-label="Actions on the selected machines">
      <Text size="sm">{machines.length} selected</Text>
      {OFFERED.filter((action) => isAllowed(action) && fits(action).length > 0).map((action) => (
        <Button
          key={action.name}
          size="xs"
          variant="default"
          {...(action.name === 'delete' ? { c: 'red' } : {})}
          onClick={() => (action.warning === undefined ? void runAll(action) : setAsked(action))}
        >
          {action.label} {fits(action).length}
        </Button>
      ))}
      {asked === undefined ? undefined : (
        <BulkConfirm
          action={asked}
          machines={fits(asked)}
          onConfirm={() => runAll(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Group>
  );
}

// Rights are asked for once per namespace, not once per machine.
function useAllowed(machines: readonly Machine[]): (action: MachineAction) => boolean {
  const oneEach = [
    ...new Map(
      machines.map((machine) => [`${machine.namespace} ${machine.virtualMachine === undefined}`, machine]),
    ).values(),
  ];
  const questions = OFFERED.flatMap((action) => oneEach.map((machine) => ({ action, deed: action.deed(machine) })));
  const answers = useMayAll(questions.map(({ deed }) => deed));
  return (action) => questions.every((question, index) => question.action !== action || answers[index] === true);
}

interface BulkConfirmProps {
  readonly action: MachineAction;
  readonly machines: readonly Machine[];
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function BulkConfirm({ action, machines, onConfirm, onClose }: BulkConfirmProps): ReactElement {
  const isDelete = action.name === 'delete';
  const count = `${machines.length} ${machines.length === 1 ? 'virtual machine' : 'virtual machines'}`;
  return (
    <ConfirmDialog
      isOpen
      title={`${action.label} ${count}?`}
      confirmLabel={`${action.label} ${count}`}
      isDangerous={isDelete}
      nameToType={isDelete ? String(machines.length) : undefined}
      {...{ onConfirm, onClose }}
    >
      <Text size="sm">{action.warning}</Text>
      <List size="sm" mt="xs">
        {machines.slice(0, SHOWN_BY_NAME).map(({ key }) => (
          <List.Item key={key}>{key}</List.Item>
        ))}
      </List>
      {machines.length > SHOWN_BY_NAME ? <Text size="sm">and {machines.length - SHOWN_BY_NAME} more</Text> : undefined}
    </ConfirmDialog>
  );
}
