import { Button, Group, Stack, Text } from '@mantine/core';
import { humanDuration } from '@smalt/kubernetes';
import type { ReactElement, ReactNode } from 'react';

import { Age } from '../../../parts/age.tsx';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { KeyValues, type KeyValue } from '../../../parts/key-values.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import classes from './migration-picture.module.css';
import { isUnderWay, STEP_WORDS, type MigrationProgress } from './migration-progress.ts';
import { Note } from '../../../parts/note.tsx';

export interface MigrationPictureProps {
  readonly name: string;
  readonly progress: MigrationProgress;
  /** Calls the migration off; undefined where that cannot be done. */
  readonly onCancel?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** A live migration as it happens: how much has gone over, how much the guest writes meanwhile, how long it will stand still. */
export function MigrationPicture({ name, progress, onCancel, children }: MigrationPictureProps): ReactElement {
  const { from, to, step, percent, failure } = progress;
  const tone = step === 'failed' ? 'bad' : step === 'done' ? 'good' : 'busy';
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <StatusBadge tone={tone} words={STEP_WORDS[step]} />
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            <When progress={progress} />
          </Text>
          {onCancel === undefined ? undefined : (
            <Button variant="default" onClick={onCancel}>
              Cancel the migration
            </Button>
          )}
        </Group>
      </Group>
      <Way {...{ name, from, to, percent, isMoving: isUnderWay(progress) }} />
      {failure === undefined ? undefined : (
        <Note tone="bad" title="The machine stays where it was">
          {failure}
        </Note>
      )}
      <KeyValues entries={figures(progress)} />
      {children}
    </Stack>
  );
}

function When({ progress: { startedAt, endedAt } }: Pick<MigrationPictureProps, 'progress'>): ReactElement | undefined {
  if (startedAt === undefined) return undefined;
  if (endedAt !== undefined) return <>took {humanDuration(Date.parse(endedAt) - Date.parse(startedAt))}</>;
  return (
    <>
      began <Age at={startedAt} /> ago
    </>
  );
}

interface WayProps {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly percent: number;
  readonly isMoving: boolean;
}

const WIDTH = 640;
const HOST = { width: 150, height: 84 } as const;
const ROAD = { start: HOST.width + 14, end: WIDTH - HOST.width - 14, y: HOST.height / 2 } as const;

function Way({ name, from, to, percent, isMoving }: WayProps): ReactElement {
  const share = percent / 100;
  const x = ROAD.start + share * (ROAD.end - ROAD.start);
  const label = `${name} moves from ${from} to ${to === '' ? 'a host that is not yet chosen' : to}`;
  return (
    <>
      <svg className={classes.way} viewBox={`0 0 ${WIDTH} ${HOST.height}`} aria-hidden="true">
        <Host x={0} title={from} filled={1 - share} />
        <Host x={WIDTH - HOST.width} title={to === '' ? '…' : to} filled={share} />
        <line className={classes.road} x1={ROAD.start} x2={ROAD.end} y1={ROAD.y} y2={ROAD.y} />
        <line className={classes.sent} x1={ROAD.start} x2={x} y1={ROAD.y} y2={ROAD.y} />
        {isMoving ? <line className={classes.flow} x1={ROAD.start} x2={ROAD.end} y1={ROAD.y} y2={ROAD.y} /> : undefined}
        <text className={classes.percent} x={(ROAD.start + ROAD.end) / 2} y={ROAD.y - 12} textAnchor="middle">
          {percent.toFixed(0)} %
        </text>
      </svg>
      <progress className={classes.hidden} max={100} value={Math.round(percent)} aria-label={label} />
    </>
  );
}

function Host({
  x,
  title,
  filled,
}: {
  readonly x: number;
  readonly title: string;
  readonly filled: number;
}): ReactElement {
  const height = Math.max(0, Math.min(1, filled)) * (HOST.height - 34);
  return (
    <g transform={`translate(${x} 0)`}>
      <rect className={classes.host} x={1} y={1} width={HOST.width - 2} height={HOST.height - 2} rx={5} />
      <text className={classes.title} x={HOST.width / 2} y={19} textAnchor="middle">
        {title}
      </text>
      <rect className={classes.memory} x={10} y={HOST.height - 8 - height} width={HOST.width - 20} height={height} />
    </g>
  );
}

function figures(progress: MigrationProgress): readonly KeyValue[] {
  const { remainingBytes, totalBytes, bytesPerSecond, dirtyBytesPerSecond, iteration, throttlePercent } = progress;
  if (totalBytes === undefined) return progress.stoodStill === undefined ? [] : [downtime(progress)];
  const sending =
    remainingBytes === undefined
      ? []
      : [
          { name: 'Data left', value: `${formatBytes(remainingBytes)} of ${formatBytes(totalBytes)}` },
          { name: 'Sent', value: `${formatBytes(bytesPerSecond ?? 0)}/s` },
          { name: 'Dirty rate', value: `${formatBytes(dirtyBytesPerSecond ?? 0)}/s, which the guest writes meanwhile` },
        ];
  const slowed = throttlePercent === undefined || throttlePercent === 0 ? [] : [`by ${throttlePercent} %`];
  return [
    ...sending,
    downtime(progress),
    { name: 'Passes over memory', value: `${iteration ?? 1}` },
    ...slowed.map((value) => ({ name: 'Guest slowed down', value })),
  ];
}

function downtime({ downtimeMs, stoodStill }: MigrationProgress): KeyValue {
  const expected = downtimeMs === undefined ? 'nobody can tell' : `${downtimeMs} ms expected`;
  return { name: 'Downtime', value: stoodStill === undefined ? expected : `${stoodStill}, measured` };
}
