import { styleText } from 'node:util';

import type { DomainEvent, EventOverflow, Resubscribed } from '@smalt/libvirt';

import { describeEvent, type Severity } from './describe-event.ts';

const colours: Readonly<Record<Severity, 'green' | 'cyan' | 'red'>> = { good: 'green', notice: 'cyan', bad: 'red' };

/** One line for one event, with its time and, on a terminal, its colour. */
export function eventText(event: DomainEvent | EventOverflow | Resubscribed, now: Date): string {
  const time = styleText('gray', now.toISOString().slice(11, 23));
  if (event.kind === 'overflow')
    return `${time}  ${styleText('yellow', `${event.dropped} events were lost: too many at once`)}`;
  if (event.kind === 'resubscribed') {
    const gapMs = event.restoredAt.getTime() - event.lostAt.getTime();
    return `${time}  ${styleText('yellow', `libvirtd is back after ${gapMs} ms; events of that time are missing`)}`;
  }
  const { domain, kind, detail, severity } = describeEvent(event);
  return `${time}  ${styleText('bold', domain)}  ${styleText(colours[severity], `${kind} ${detail}`.trimEnd())}`;
}
