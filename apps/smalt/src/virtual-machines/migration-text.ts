import type { MigrationUsage } from '@smalt/vm-api';

import { byteText } from '../image/byte-text.ts';
import { durationText } from '../output/duration-text.ts';
import { percentText, progressBar } from '../output/progress-bar.ts';

const BAR = 24;

/** How much of a migration is done, from 0 to 1. It goes back when the guest writes faster than is sent. */
export function migrationShare({ totalBytes, remainingBytes }: MigrationUsage): number {
  return totalBytes === 0 ? 0 : 1 - remainingBytes / totalBytes;
}

/** A migration on its way, in one line: `████░░ 66 %  1.2 GiB left, 310 MiB/s, guest writes 40 MiB/s`. */
export function migrationText(usage: MigrationUsage, width: number = BAR): string {
  const share = migrationShare(usage);
  const { downtimeMs, throttlePercent, mode } = usage;
  const facts = [
    `${byteText(usage.remainingBytes)} left`,
    `${byteText(usage.bytesPerSecond)}/s`,
    `guest writes ${byteText(usage.dirtyBytesPerSecond)}/s`,
    ...(downtimeMs === undefined ? [] : [`downtime ${durationText(downtimeMs)}`]),
    ...(throttlePercent === 0 ? [] : [`slowed down by ${throttlePercent} %`]),
    ...(mode === 'PreCopy' ? [] : [mode === 'PostCopy' ? 'runs at the target already' : 'stands still']),
  ];
  return `${progressBar(share, width)} ${percentText(share).padStart(5)}  ${facts.join(', ')}`;
}
