import {
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { HypervisorDriver } from '@smalt/vm-api';
import { useId, type ReactElement } from 'react';

import { NamespaceInput } from '../../../parts/namespace-input.tsx';
import type { FormProblems } from './form-problems.ts';
import type { DiskChoice, MachineForm } from './machine-form.ts';

export interface MachineFormFieldsProps {
  readonly form: MachineForm;
  readonly problems: FormProblems['byField'];
  readonly onChange: (form: MachineForm) => void;
}

const DISKS: readonly { readonly value: DiskChoice; readonly label: string }[] = [
  { value: 'image', label: 'An image' },
  { value: 'claim', label: 'A claim' },
  { value: 'blank', label: 'A blank disk' },
];

/** The fields of a new machine, each with what the server says of it. */
export function MachineFormFields({ form, problems, onChange }: MachineFormFieldsProps): ReactElement {
  const set = (change: Partial<MachineForm>): void => onChange({ ...form, ...change });
  return (
    <Stack gap="md" maw="44rem">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          required
          autoComplete="off"
          value={form.name}
          error={problems.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NamespaceInput
          value={form.namespace}
          error={problems.namespace}
          onChange={(namespace) => set({ namespace })}
        />
        <NumberInput
          label="Virtual processors"
          min={1}
          allowDecimal={false}
          value={form.cores}
          error={problems.cores}
          onChange={(cores) => set({ cores })}
        />
        <NumberInput
          label="Memory in MiB"
          min={1}
          step={256}
          allowDecimal={false}
          value={form.memoryMiB}
          error={problems.memoryMiB}
          onChange={(memoryMiB) => set({ memoryMiB })}
        />
      </SimpleGrid>
      <DiskFields {...{ form, problems, set }} />
      <RestFields {...{ form, problems, set }} />
    </Stack>
  );
}

interface PartProps extends Pick<MachineFormFieldsProps, 'form' | 'problems'> {
  readonly set: (change: Partial<MachineForm>) => void;
}

function DiskFields({ form, problems, set }: PartProps): ReactElement {
  const label = useId();
  return (
    <Stack gap="xs">
      <Text id={label} size="sm" fw={500}>
        Boots from
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        data={[...DISKS]}
        value={form.disk}
        onChange={(disk) => set({ disk })}
      />
      {form.disk === 'blank' ? (
        <NumberInput
          label="Size in GiB"
          min={1}
          value={form.diskGiB}
          error={problems.diskGiB}
          onChange={(diskGiB) => set({ diskGiB })}
        />
      ) : (
        <TextInput
          label={form.disk === 'image' ? 'Image' : 'Name of the claim'}
          description={
            form.disk === 'image'
              ? 'As smalt image import or smalt image build-demo named it, such as demo. What the guest writes lasts as long as the instance.'
              : 'What the guest writes lasts as long as the claim.'
          }
          required
          value={form.diskName}
          error={problems.diskName}
          onChange={(event) => set({ diskName: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}

function RestFields({ form, problems, set }: PartProps): ReactElement {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Network"
          data={[
            { value: 'pod', label: 'Behind its host' },
            { value: 'none', label: 'None' },
          ]}
          allowDeselect={false}
          value={form.network}
          error={problems.network}
          onChange={(network) => set({ network: network === 'none' ? 'none' : 'pod' })}
        />
        <Select
          label="Driver"
          placeholder="What the fleet prefers"
          clearable
          data={Object.values(HypervisorDriver)}
          value={form.hypervisor === '' ? null : form.hypervisor}
          error={problems.hypervisor}
          onChange={(hypervisor) => set({ hypervisor: hypervisor ?? '' })}
        />
      </SimpleGrid>
      <Textarea
        label="cloud-init user data"
        description="What the guest does at its first start; leave it empty for nothing."
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        value={form.userData}
        error={problems.userData}
        onChange={(event) => set({ userData: event.currentTarget.value })}
      />
      <Switch
        label="Start it at once, and keep it running"
        checked={form.isStarted}
        onChange={(event) => set({ isStarted: event.currentTarget.checked })}
      />
    </>
  );
}
