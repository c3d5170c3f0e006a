import { isComputeError, type HostIdentity } from '@smalt/compute';
import type { IncidentAction, RequestAnswer } from '@smalt/failure-detection';
import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../../ha-service-error.ts';
import type { OrderSignal } from '../../ports/order-signal.ts';
import { order } from '../engine-context.ts';
import type { ActionContext } from './action-context.ts';
import { noteUnreserved, prepareReserved } from './reserved-hosts.ts';
import { withDeadline } from '../timing/with-deadline.ts';

/** How long after a failure an order that may be repeated is given again. */
const REPEAT_MS = 5_000;

/** Carries out one action of an incident and notes its answer. It fails only when the signal fires or the lead is lost. */
export async function carryOut(context: ActionContext, action: IncidentAction, signal: AbortSignal): Promise<void> {
  switch (action.kind) {
    case 'power-off':
      return await powerOff(context, action.method, signal);
    case 'read-power':
      return await readPower(context, action, signal);
    case 'force-down':
      return await tell(context, 'forcing it down', signal, (identity, inner) =>
        context.ports.compute.hosts.forceDown({ ...identity, lifeSign: action.lifeSign }, inner),
      );
    case 'disable':
      return await tell(context, 'disabling it', signal, (identity, inner) =>
        context.ports.compute.hosts.disable(identity, action.reason, inner),
      );
    case 'clean-up':
      return await cleanUp(context, signal);
    case 'prepare-reserved':
      return await prepareReserved(context, action, signal);
    case 'note-unreserved':
      return await noteUnreserved(context, action.host, signal);
    case 'evacuate':
      return await evacuate(context, action, signal);
    case 'put-off':
      return await putOff(context, action.instanceId, signal);
  }
}

async function powerOff(context: ActionContext, method: string, signal: AbortSignal): Promise<void> {
  const { ports, incident, memory, settings } = context;
  const timeoutMs = settings().detection.recovery.fenceTimeoutMs;
  try {
    await order(context, { what: 'the order to power off', timeoutMs }, signal, (inner) =>
      ports.power.powerOff(incident.host, method, inner),
    );
    memory.hearFence('the order was taken');
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    memory.hearFence(`the order failed: ${messageOf(error)}`);
  }
  context.onAnswer();
}

async function readPower(
  context: ActionContext,
  { level, method }: Extract<IncidentAction, { kind: 'read-power' }>,
  signal: AbortSignal,
): Promise<void> {
  const { ports, incident, memory, settings, suspects } = context;
  const { clock, power } = ports;
  const timeoutMs = settings().detection.recovery.readTimeoutMs;
  // The power was so at some moment after this; to say that it was at this one claims the least.
  const at = clock.now();
  try {
    const reading = await withDeadline({ clock, timeoutMs, what: 'reading the power', signal }, (inner) =>
      power.readPower(incident.host, method, inner),
    );
    memory.hearReading({ ...reading, level, at });
    suspects.hearPower(incident.host, reading.power, at);
  } catch (error) {
    if (signal.aborted) throw error;
    memory.hearReading({ level, at, session: `failed-${at}`, power: 'unknown', message: messageOf(error) });
    suspects.hearPower(incident.host, 'unknown', at);
  }
  context.onAnswer();
}

/** Tells the compute system something that may be told again. */
async function tell(
  context: ActionContext,
  what: string,
  signal: AbortSignal,
  run: (identity: HostIdentity, signal: OrderSignal) => Promise<void>,
): Promise<void> {
  const { ports, identity, incident } = context;
  if (identity === undefined) return;
  try {
    await order(context, { what }, signal, (inner) => run(identity, inner));
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    ports.logger.warn({ host: incident.host, incident: incident.id, what, error: messageOf(error) }, 'an order failed');
    // The order counts as under way for as long, so it is not repeated at every pass.
    await ports.clock.wait(REPEAT_MS, signal);
  }
  context.onAnswer();
}

async function cleanUp(context: ActionContext, signal: AbortSignal): Promise<void> {
  const { ports, incident, memory, settings } = context;
  const timeoutMs = settings().detection.recovery.cleanUpMs;
  try {
    await order(context, { what: 'the clean-up', timeoutMs }, signal, (inner) =>
      ports.power.cleanUp(incident.host, inner),
    );
    memory.hearCleanUp(true, 'it was cleaned up');
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    memory.hearCleanUp(false, messageOf(error));
  }
  context.onAnswer();
}

async function evacuate(
  context: ActionContext,
  { instanceId, target }: Extract<IncidentAction, { kind: 'evacuate' }>,
  signal: AbortSignal,
): Promise<void> {
  const { ports, settings, incident, memory } = context;
  const { callTimeoutMs, detection } = settings();
  // It must have an end long before a list without its record is taken to show that it never arrived.
  const timeoutMs = Math.min(callTimeoutMs, detection.recovery.graceMs / 2);
  const asked = incident.instances.find(({ id }) => id === instanceId);
  if (asked === undefined) return;
  const options = target === undefined ? {} : { targetName: target };
  try {
    await order(context, { what: 'the request', timeoutMs }, signal, (inner) =>
      ports.compute.evacuations.start(instanceId, options, inner),
    );
    memory.hearEvacuation(asked, { kind: 'accepted' });
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    const answer = answerOf(error);
    // It is asked for only a few times, so what passes by itself gets some time to do so.
    if (answer.kind === 'not-done') await ports.clock.wait(REPEAT_MS * asked.asks, signal);
    memory.hearEvacuation(asked, answer);
  }
  context.onAnswer();
}

async function putOff(context: ActionContext, instanceId: string, signal: AbortSignal): Promise<void> {
  const { ports, memory } = context;
  try {
    const found = await order(context, { what: 'putting it off' }, signal, async (inner) => {
      await ports.compute.instances.stop(instanceId, inner);
      return await ports.compute.instances.get(instanceId, inner);
    });
    // It is answered before it is done: only one that is seen to be off is; the order may be repeated.
    memory.hearPutOff(instanceId, found?.state === 'stopped', `it is ${found?.stateText ?? 'gone'}`);
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    memory.hearPutOff(instanceId, false, messageOf(error));
  }
  context.onAnswer();
}

/** What a failed request says about what became of it. Whatever is not known for sure may have been done. */
export function answerOf(error: unknown): RequestAnswer {
  const message = messageOf(error);
  if (isComputeError(error, 'refused')) return { kind: 'refused', message };
  if (isComputeError(error, 'not-found', 'conflict', 'stale', 'no-target')) return { kind: 'not-done', message };
  return { kind: 'unknown', message };
}
