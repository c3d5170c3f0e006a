import { Button, Group } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { ReasonDialog } from '../../../parts/reason-dialog.tsx';
import { useServices } from '../../../services.ts';
import type { Incident } from '../fleet-objects.ts';
import { OPERATE } from '../use-watched-fleet.ts';
import { ConfirmOffDialog } from './confirm-off-dialog.tsx';
import { incidentDeedWords, type IncidentDeed } from './incident-deed.ts';

/** What a person can say about an incident. What one may not do is not offered. */
export function IncidentActions({
  incident,
  isHeld,
}: {
  readonly incident: Incident;
  readonly isHeld: boolean;
}): ReactElement | undefined {
  const { id, host, closedAt } = incident;
  const [asked, setAsked] = useState<IncidentDeed>();
  const { api } = useServices();
  const { act } = useAct();
  const mayOperate = useMay(OPERATE);
  if (!mayOperate) return undefined;
  const say = (what: IncidentDeed, body: object): Promise<boolean> =>
    act(incidentDeedWords(what, host), () =>
      api.call('POST', `/ha/v1/incidents/${encodeURIComponent(id)}/${what}`, { body }),
    );
  const close = (): void => setAsked(undefined);
  const isOpen = closedAt === null;
  return (
    <Group gap="xs">
      {isOpen && incident.proof === null ? (
        <Button color="red" onClick={() => setAsked('confirm-off')}>
          Confirm that it is off
        </Button>
      ) : undefined}
      {isOpen ? (
        <Button variant="default" onClick={() => setAsked('close')}>
          Close
        </Button>
      ) : undefined}
      {isHeld ? <Button onClick={() => setAsked('release')}>Let the host return</Button> : undefined}
      {asked === 'confirm-off' ? (
        <ConfirmOffDialog incident={incident} onConfirm={(body) => say('confirm-off', body)} onClose={close} />
      ) : undefined}
      {asked === 'close' ? (
        <ReasonDialog
          title={`Close incident ${id}?`}
          confirmLabel="Close it"
          onConfirm={(note) => say('close', { note })}
          onClose={close}
        >
          It ends as it is: nothing more is fenced or rebuilt for {host}.
        </ReasonDialog>
      ) : undefined}
      {asked === 'release' ? (
        <ReasonDialog
          title={`Let ${host} return?`}
          confirmLabel="Let it return"
          onConfirm={(note) => say('release', { note })}
          onClose={close}
        >
          It takes virtual machines again once it is healthy. Make sure that what made it fail is mended.
        </ReasonDialog>
      ) : undefined}
    </Group>
  );
}
