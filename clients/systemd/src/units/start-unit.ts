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

/** Starts or restarts a unit and resolves with how the job ended, which may take as long as the unit does. */
export async function startUnit(
  bus: Bus,
  name: string,
  signal: AbortSignal,
  member: 'StartUnit' | 'RestartUnit' = 'StartUnit',
): Promise<JobResult> {
  checkUnitName(name);
  const connection = await bus.within(member, signal, (limited) => bus.keeper.connected(limited));
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
      if (signal.aborted) throw givenUp(name, signal);
      if (connection.reason) throw lostJob(name, connection.reason);
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

/** How the job that `StartUnit` answered with has ended, if it has. Only systemd, who answered, may say so. */
function resultOf(heard: readonly DBusMessage[], { sender, body: [job] = [] }: DBusMessage): JobResult | undefined {
  for (const message of heard) {
    const [, path, , result] = message.body ?? [];
    if (message.sender === sender && path === job && typeof result === 'string') return result;
  }
  return undefined;
}

function givenUp(name: string, { reason: cause }: AbortSignal): SystemdError {
  return new SystemdError('aborted', `Waiting for ${name} to start was given up; the job goes on`, { cause });
}

function lostJob(name: string, cause: SystemdError): SystemdError {
  const message = `The bus was lost while ${name} was being started; the job goes on, its end is not known`;
  return new SystemdError('bus-lost', message, { cause });
}
