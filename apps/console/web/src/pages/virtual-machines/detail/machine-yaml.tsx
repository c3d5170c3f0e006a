import { Button, Group, Stack, Text } from '@mantine/core';
import type { KindReference } from '@smalt/kubernetes';
import { virtualMachineInstanceKind, virtualMachineKind } from '@smalt/vm-api';
import { useMemo, useState, type ReactElement } from 'react';
import { stringify } from 'yaml';

import { ApiError } from '../../../api/api-error.ts';
import { useMay } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { parseYamlObject, placeCauses } from '../../../parts/yaml/place-causes.ts';
import { YamlEditor } from '../../../parts/yaml/yaml-editor.tsx';
import { useServices } from '../../../services.ts';
import type { Machine } from '../machine.ts';

/** The machine as it is stored, to be read and changed. */
export function MachineYaml({ machine }: { readonly machine: Machine }): ReactElement {
  const { virtualMachine, instance, namespace, name } = machine;
  const kind: KindReference = virtualMachine === undefined ? virtualMachineInstanceKind : virtualMachineKind;
  const mayChange = useMay({ verb: 'update', group: kind.group, resource: kind.plural, namespace, name });
  const stored = stringify(virtualMachine ?? instance);
  // Undefined until something was changed: then what comes from the server is shown as it comes.
  const [edited, setEdited] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const { api } = useServices();
  const { act, isActing } = useAct();
  const text = edited ?? stored;
  const parsed = useMemo(() => parseYamlObject(text), [text]);
  const problems = useMemo(
    () => (parsed.kind === 'problems' ? parsed.problems : placeCauses(text, error?.causes ?? [])),
    [parsed, text, error],
  );
  const save = async (): Promise<void> => {
    if (parsed.kind === 'problems') return;
    const saved = await act({ done: `${name} was changed`, failed: `${name} was not changed` }, async () => {
      setError(undefined);
      await api.replace(kind, { namespace, name }, parsed.object).catch((failure: unknown) => {
        if (failure instanceof ApiError) setError(failure);
        throw failure;
      });
    });
    if (saved) setEdited(undefined);
  };
  return (
    <Stack gap="sm">
      <YamlEditor
        label={`${name} as YAML`}
        value={text}
        problems={problems}
        onChange={mayChange ? setEdited : undefined}
      />
      <Group>
        {mayChange ? (
          <Button
            loading={isActing}
            disabled={edited === undefined || parsed.kind === 'problems'}
            onClick={() => void save()}
          >
            Save
          </Button>
        ) : undefined}
        {edited === undefined ? undefined : (
          <Button variant="default" onClick={() => setEdited(undefined)}>
            Discard the changes
          </Button>
        )}
        {edited !== undefined && stored !== edited ? <Text size="sm">Not saved yet.</Text> : undefined}
      </Group>
    </Stack>
  );
}
