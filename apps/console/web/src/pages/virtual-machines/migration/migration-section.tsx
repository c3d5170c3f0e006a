import { migrationKind, type Migration } from '@smalt/fleet-api';
import type { InstanceUsage } from '@smalt/vm-api';
import { virtualMachineInstanceMigrationKind, WellKnownName } from '@smalt/vm-api';
import { useState, type ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { Graph } from '../../../parts/graph/graph.tsx';
import { Section } from '../../../parts/section.tsx';
import { useServices } from '../../../services.ts';
import type { Machine } from '../machine.ts';
import type { UsageHistory } from '../usage/usage-history.ts';
import { MigrationPicture } from './migration-picture.tsx';
import {
  isUnderWay,
  measuredDowntime,
  migrationProgress,
  shownMigration,
  usageOfMigration,
} from './migration-progress.ts';

export interface MigrationSectionProps {
  readonly machine: Machine;
  readonly history: UsageHistory;
}

/** The migration that is under way, or the last one; nothing for a machine that never moved. */
export function MigrationSection({ machine, history }: MigrationSectionProps): ReactElement | undefined {
  const { namespace, name } = machine;
  const { objects } = useFollowed(virtualMachineInstanceMigrationKind, {
    namespace,
    labelSelector: `${WellKnownName.migrationSelectorLabel}=${name}`,
  });
  const { objects: records } = useHostRecords(machine);
  const mayCancel = useMay({
    verb: 'delete',
    group: 'kubevirt.io',
    resource: 'virtualmachineinstancemigrations',
    namespace,
  });
  const { api } = useServices();
  const { act } = useAct();
  const [opened] = useState(() => Date.now());
  const migration = shownMigration(objects, machine);
  if (migration === undefined) return undefined;
  const { startedAt } = migrationProgress(machine, migration, undefined);
  const moving = usageOfMigration(history, startedAt);
  const told = migrationProgress(machine, migration, moving.at(-1));
  const stoodStill = measuredDowntime(records, told);
  const progress = stoodStill === undefined ? told : { ...told, stoodStill };
  const isShown = isUnderWay(progress) || Date.parse(progress.endedAt ?? '') > opened - RECENT_MS;
  if (!isShown) return undefined;
  const cancel = (): void => {
    void act({ done: `The migration of ${name} is being cancelled`, failed: 'The migration goes on' }, () =>
      api.remove(virtualMachineInstanceMigrationKind, { namespace, name: migration.metadata.name }),
    );
  };
  return (
    <Section title="Live migration">
      <MigrationPicture
        name={name}
        progress={progress}
        onCancel={mayCancel && isUnderWay(progress) ? cancel : undefined}
      >
        {moving.length < 2 ? undefined : <MigrationGraph moving={moving} />}
      </MigrationPicture>
    </Section>
  );
}

/** What the hosts have written down of the guest's migrations, where the user may see it. */
function useHostRecords({ instance }: Machine): ReturnType<typeof useFollowed<Migration>> {
  const id = instance?.spec.domain.firmware?.uuid;
  const mayRead = useMay({ verb: 'watch', group: migrationKind.group, resource: migrationKind.plural });
  return useFollowed(mayRead && id !== undefined ? migrationKind : undefined, {
    labelSelector: `${INSTANCE_LABEL}=${id}`,
  });
}

const INSTANCE_LABEL = 'smalt.dev/instance';

/** An older migration is told of among the events. */
const RECENT_MS = 10 * 60_000;

function MigrationGraph({ moving }: { readonly moving: readonly InstanceUsage[] }): ReactElement {
  const values = (pick: (usage: NonNullable<InstanceUsage['migration']>) => number): readonly (number | null)[] =>
    moving.map(({ migration }) => (migration === undefined ? null : pick(migration)));
  return (
    <Graph
      title="Data left, and what is written meanwhile"
      times={moving.map(({ at }) => Date.parse(at))}
      format={formatBytes}
      isBytes
      series={[
        { label: 'left', values: values(({ remainingBytes }) => remainingBytes) },
        { label: 'dirtied per second', values: values(({ dirtyBytesPerSecond }) => dirtyBytesPerSecond) },
        { label: 'sent per second', values: values(({ bytesPerSecond }) => bytesPerSecond) },
      ]}
    />
  );
}
