import type { DBusMessage } from '@smalt/dbus';

import type { Bus } from '../bus/bus.ts';
import { MatchRules } from '../bus/match-rules.ts';
import { Wakeup } from '../bus/wakeup.ts';
import { SystemdError } from '../systemd-error.ts';
import type { JobResult } from '../systemd.ts';
import { MANAGER } from './manager.ts';
import { checkUnitName } from './unit-name.ts';

/** Jobs that end between the call and its answer; there are never many. */
const MAX_HEARD = 1000;

/** What systemd can be told to do with a unit, by the method that does it. */
const VERBS = { StartUnit: 'start', RestartUnit: 'restart', StopUnit: 'stop' } as const;

/** Has systemd do something with a unit and resolves with how the job ended, which may take as long as the unit does. */
export async function runUnitJob(
  bus: Bus,
  member: keyof typeof VERBS,
  name: string,
  signal: AbortSignal,
): Promise<JobResult> {
  checkUnitName(name);
  const connection = await bus.connection(member, signal);
  const rules = new MatchRules(connection);
  const heard: DBusMessage[] = [];
  const wakeup = new Wakeup();
  const wake = (): void => wakeup.wake();
  signal.addEventListener('abort', wake, { once: true });
  const stops = [connection.onEnd(wake), connection.onSignal((message) => hear(heard, message, wake))];
  try {
    const answer = await bus.within(member, signal, async (limited) => {
      await rules.add({ sender: MANAGER.destination, path: MANAGER.path, member: 'JobRemoved' }, limited);
      return connection.call({ ...MANAGER, member, signature: 'ss', body: [name, 'replace'] }, limited);
    });
    for (;;) {
      const result = resultOf(heard, answer);
      if (result !== undefined) return result;
      if (signal.aborted) throw givenUp(member, name, signal);
      if (connection.reason) throw lostJob(member, name, connection.reason);
      heard.length = 0;
      await wakeup.wait();
    }
  } finally {
    signal.removeEventListener('abort', wake);
    for (const stop of stops) stop();
    rules.dropAll();
  }
}

function hear(heard: DBusMessage[], message: DBusMessage, wake: () => void): void {
  if (message.member !== 'JobRemoved' || message.interface !== MANAGER.interface) return;
  if (heard.length >= MAX_HEARD) heard.shift();
  heard.push(message);
  wake();
}

/** How the job that systemd answered with has ended, if it has. Only systemd, who answered, may say so. */
function resultOf(heard: readonly DBusMessage[], { sender, body: [job] = [] }: DBusMessage): JobResult | undefined {
  for (const message of heard) {
    const [, path, , result] = message.body ?? [];
    if (message.sender === sender && path === job && typeof result === 'string') return result;
  }
  return undefined;
}

function givenUp(member: keyof typeof VERBS, name: string, { reason: cause }: AbortSignal): SystemdError {
  const message = `Waiting for ${name} to ${VERBS[member]} was given up; the job goes on`;
  return new SystemdError('aborted', message, { cause });
}

function lostJob(member: keyof typeof VERBS, name: string, cause: SystemdError): SystemdError {
  const message = `The bus was lost while ${name} was to ${VERBS[member]}; the job goes on, its end is not known`;
  return new SystemdError('bus-lost', message, { cause });
}
