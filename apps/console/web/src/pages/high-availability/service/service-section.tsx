import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { Note } from '../../../parts/note.tsx';
import { ReasonDialog } from '../../../parts/reason-dialog.tsx';
import { Section } from '../../../parts/section.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { useServices } from '../../../services.ts';
import type { ServiceStatus } from '../fleet-objects.ts';
import { OPERATE } from '../use-watched-fleet.ts';
import { sourceWords } from '../words.ts';
import { serviceSwitches, type ServiceSwitch } from './service-switches.ts';

/** How the service itself is: whether it acts, what holds it back, and whom it cannot hear. */
export function ServiceSection({ status }: { readonly status: ServiceStatus }): ReactElement {
  const { isPaused, isDryRun, settingsTrouble, brakes, sources, version, isLeading } = status;
  const silent = sources.filter(({ isReachable }) => isReachable === false);
  return (
    <Section title="The service" actions={<Switches status={status} />}>
      <Stack gap="sm">
        <Group gap="xs">
          <StatusBadge
            tone={isPaused ? 'warning' : 'good'}
            words={isPaused ? 'Paused: it does nothing' : 'Acts when a host is lost'}
          />
          {isDryRun ? <StatusBadge tone="warning" words="Dry run: it only tells what it would do" /> : undefined}
          <Text size="sm" c="dimmed">
            {version}, {isLeading ? 'this replica leads' : 'this replica follows'}
          </Text>
        </Group>
        {isLeading ? undefined : (
          <Note tone="warning" title="This replica does not judge hosts">
            Judgements, signals, history and what holds the service back are known to its leader alone, so they are
            missing here. Reload the page to be connected anew, perhaps to the leader.
          </Note>
        )}
        {settingsTrouble === null ? undefined : (
          <Note tone="bad" title="Its settings are wrong; the last good ones count">
            {settingsTrouble}
          </Note>
        )}
        {brakes.map(({ brake, message, hosts }) => (
          <Note key={brake} tone="warning" title={`Held back for ${hosts.join(', ')}`}>
            {message}
          </Note>
        ))}
        {silent.map(({ source, message }) => (
          <Note key={source} tone="warning" title={`It hears nothing from ${sourceWords(source)} of any host`}>
            {message}
          </Note>
        ))}
      </Stack>
    </Section>
  );
}

function Switches({ status }: { readonly status: ServiceStatus }): ReactElement | undefined {
  const [asked, setAsked] = useState<ServiceSwitch>();
  const { api } = useServices();
  const { act } = useAct();
  const mayOperate = useMay(OPERATE);
  if (!mayOperate) return undefined;
  return (
    <Group gap="xs">
      {serviceSwitches(status).map((each) => (
        <Button key={each.label} variant="default" onClick={() => setAsked(each)}>
          {each.label}
        </Button>
      ))}
      {asked === undefined ? undefined : (
        <ReasonDialog
          title={`${asked.label}?`}
          confirmLabel={asked.label}
          onConfirm={(note) =>
            act(asked.words, () => api.call('POST', `/ha/v1/${asked.path}`, { body: { ...asked.body, note } }))
          }
          onClose={() => setAsked(undefined)}
        >
          {asked.warning}
        </ReasonDialog>
      )}
    </Group>
  );
}
