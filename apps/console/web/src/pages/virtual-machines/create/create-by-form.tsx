import { Button, Group, Stack } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { OfferedPart } from '../../../parts/offered-part.tsx';
import { creationIn, NO_CREATION } from './creation-deed.ts';
import { formProblems, missingFields, NO_PROBLEMS } from './form-problems.ts';
import { MachineFormFields } from './machine-form-fields.tsx';
import { machineManifest, type MachineForm } from './machine-form.ts';
import { useCreateMachine } from './use-create-machine.ts';
import { useDryRun } from './use-dry-run.ts';
import { VerdictNote } from './verdict-note.tsx';

export interface CreateByFormProps {
  readonly form: MachineForm;
  readonly onChange: (form: MachineForm) => void;
}

export function CreateByForm({ form, onChange }: CreateByFormProps): ReactElement {
  const manifest = machineManifest(form);
  // Nobody wants to be told about a form that was not begun.
  const verdict = useDryRun(form.name === '' ? undefined : manifest, form.namespace);
  const { isCreating, failure, create } = useCreateMachine();
  const [isTried, setIsTried] = useState(false);
  const missing = missingFields(form).byField;
  const refused = verdict.kind === 'refused' ? verdict.error : failure;
  const problems = refused === undefined ? NO_PROBLEMS : formProblems(refused.causes, refused.message);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (Object.keys(missing).length === 0) void create(manifest, form.namespace);
      }}
    >
      <Stack>
        <MachineFormFields
          form={form}
          problems={{ ...problems.byField, ...(isTried ? missing : {}) }}
          onChange={onChange}
        />
        <VerdictNote
          verdict={refused === undefined ? verdict : { kind: 'refused', error: refused }}
          other={problems.other}
        />
        <OfferedPart deed={creationIn(form.namespace)} refusal={NO_CREATION}>
          <Group>
            <Button type="submit" size="sm" loading={isCreating}>
              Create
            </Button>
          </Group>
        </OfferedPart>
      </Stack>
    </form>
  );
}
