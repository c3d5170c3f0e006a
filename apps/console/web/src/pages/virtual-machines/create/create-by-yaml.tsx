import { Button, Group, Stack } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';

import { failureLines } from '../../../frame/notices/use-act.ts';
import { OfferedPart } from '../../../parts/offered-part.tsx';
import { parseYamlObject, placeCauses } from '../../../parts/yaml/place-causes.ts';
import { YamlEditor } from '../../../parts/yaml/yaml-editor.tsx';
import { creationIn, NO_CREATION } from './creation-deed.ts';
import { namespaceOf } from './namespace-of.ts';
import { useCreateMachine } from './use-create-machine.ts';
import { useDryRun } from './use-dry-run.ts';
import { VerdictNote } from './verdict-note.tsx';

export interface CreateByYamlProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function CreateByYaml({ text, onChange }: CreateByYamlProps): ReactElement {
  const parsed = useMemo(() => parseYamlObject(text), [text]);
  const object = parsed.kind === 'object' ? parsed.object : undefined;
  const namespace = namespaceOf(object);
  const verdict = useDryRun(object, namespace);
  const { isCreating, failure, create } = useCreateMachine();
  const refused = verdict.kind === 'refused' ? verdict.error : failure;
  const problems = useMemo(
    () => (parsed.kind === 'problems' ? parsed.problems : placeCauses(text, refused?.causes ?? [])),
    [parsed, text, refused],
  );
  const other =
    refused === undefined ? problems.map(({ line, message }) => `Line ${line}: ${message}`) : failureLines(refused);
  return (
    <Stack>
      <YamlEditor label="The virtual machine as YAML" value={text} onChange={onChange} problems={problems} />
      <VerdictNote verdict={refused === undefined ? verdict : { kind: 'refused', error: refused }} other={other} />
      <OfferedPart deed={creationIn(namespace)} refusal={NO_CREATION}>
        <Group>
          <Button
            size="sm"
            loading={isCreating}
            disabled={object === undefined}
            onClick={() => void create(object ?? {}, namespace)}
          >
            Create
          </Button>
        </Group>
      </OfferedPart>
    </Stack>
  );
}
