import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { OVSNode, SwitchTopology } from '@smalt/ovs-api';
import { useState, type ReactElement } from 'react';

import { ApiError, messageOf } from '../../../api/api-error.ts';
import { Note } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import type { SwitchView } from '../detail/switch-view.ts';
import {
  CAPTURE_TARGETS,
  EMPTY_CAPTURE,
  placeCaptureProblems,
  type CaptureField,
  type CaptureForm,
} from './capture-form.ts';
import { CaptureOutcome } from './capture-outcome.tsx';
import { useCapture, type CaptureRun } from './use-capture.ts';

export interface CaptureSectionProps {
  readonly node: OVSNode;
  /** What to capture at, as the picture or the address says. */
  readonly view: SwitchView;
  readonly topology: SwitchTopology | undefined;
}

/** Captures packets at a port or a bridge, and hands them over as a file. */
export function CaptureSection({ node, view, topology }: CaptureSectionProps): ReactElement {
  const run = useCapture(node);
  const { state } = run;
  const error = state.kind === 'failed' ? state.error : undefined;
  const { fields, others } = placeCaptureProblems(error instanceof ApiError ? error.causes : []);
  const lines = others.length > 0 || Object.keys(fields).length > 0 ? others : [messageOf(error)];
  return (
    <Section title="Capture packets">
      <CaptureFields node={node} view={view} topology={topology} problems={fields} run={run} />
      {error === undefined || lines.length === 0 ? undefined : (
        <Note tone="bad" title="Nothing was captured" role="alert">
          {lines.join('; ')}
        </Note>
      )}
      <CaptureOutcome state={state} />
    </Section>
  );
}

interface CaptureFieldsProps extends CaptureSectionProps {
  readonly problems: Readonly<Partial<Record<CaptureField, string>>>;
  readonly run: CaptureRun;
}

function CaptureFields({ node, view, topology, problems, run }: CaptureFieldsProps): ReactElement {
  const bridges = node.status?.bridges?.map(({ name }) => name) ?? [];
  const ports = topology?.bridges.flatMap((bridge) => bridge.ports.map(({ name }) => name)) ?? [];
  const [form, setForm] = useState<CaptureForm>({ ...EMPTY_CAPTURE, name: view.port ?? '' });
  const change = (changes: Partial<CaptureForm>): void => setForm((before) => ({ ...before, ...changes }));
  const isRunning = run.state.kind === 'running';
  const field = (name: CaptureField): object => ({
    value: form[name],
    error: problems[name],
    disabled: isRunning,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: event.currentTarget.value }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run.start(form);
      }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="md">
        <NativeSelect
          label="Of"
          data={[...CAPTURE_TARGETS]}
          value={form.target}
          disabled={isRunning}
          onChange={(event) => change({ target: event.currentTarget.value === 'bridge' ? 'bridge' : 'port', name: '' })}
        />
        <TextInput
          label={form.target === 'port' ? 'Port' : 'Bridge'}
          required
          list="capture-names"
          {...field('name')}
        />
        <datalist id="capture-names">
          {[...new Set(form.target === 'port' ? ports : bridges)].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
        <TextInput label="Filter" placeholder="tcp port 443 and host 192.0.2.1" {...field('filter')} />
        <TextInput label="Seconds" inputMode="numeric" required {...field('seconds')} />
        <TextInput label="Packets at most" inputMode="numeric" placeholder="as many as come" {...field('packets')} />
      </SimpleGrid>
      <Group mb="sm">
        {isRunning ? (
          // Two buttons: one that became the other while it is pressed would begin anew.
          <Button key="stop" variant="default" onClick={run.stop}>
            Stop
          </Button>
        ) : (
          <Button key="capture" type="submit">
            Capture
          </Button>
        )}
      </Group>
    </form>
  );
}
