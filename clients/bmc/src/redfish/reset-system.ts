import { isJsonArray, jsonField, type JsonObject } from '@smalt/json';

import { BmcError } from '../bmc-error.ts';
import type { FoundSystem } from './find-system.ts';
import type { RedfishAnswer, RedfishConnection } from './redfish-connection.ts';
import { objectAt, objectsAt, textAt } from './redfish-document.ts';

const FIRST_POLL_MS = 500;
const LONGEST_POLL_MS = 10_000;

/** What is sent to have a host off or on. */
export function resetType(system: JsonObject, wanted: 'on' | 'off'): string {
  if (wanted === 'off') return 'ForceOff';
  const allowed = jsonField(resetAction(system) ?? {}, 'ResetType@Redfish.AllowableValues');
  const knowsOnlyForce = isJsonArray(allowed) && !allowed.includes('On') && allowed.includes('ForceOn');
  return knowsOnlyForce ? 'ForceOn' : 'On';
}

/** Sends a reset and, if the controller makes a task of it, waits for its end. */
export async function resetSystem(
  connection: RedfishConnection,
  system: FoundSystem,
  wanted: 'on' | 'off',
  signal: AbortSignal,
): Promise<void> {
  // The schema names this path; controllers that leave the action out have it all the same.
  const usual = `${system.path.replace(/\/$/, '')}/Actions/ComputerSystem.Reset`;
  const path = connection.pathOf(textAt(resetAction(system.document), 'target') ?? usual);
  const body = { ResetType: resetType(system.document, wanted) };
  const answer = await connection.request({ method: 'POST', path, body, missing: 'refused' }, signal);
  if (answer.status >= 300) throw new BmcError('bad-answer', `POST ${path}: HTTP ${answer.status}`);
  if (answer.status === 202) await awaitTask(connection, answer, signal);
}

function resetAction(system: JsonObject): JsonObject | undefined {
  return objectAt(objectAt(system, 'Actions'), '#ComputerSystem.Reset');
}

type TaskProgress = 'running' | 'completed' | 'failed';

/** How far a task is, by the answer to a request for its monitor or for itself. */
export function taskProgress({ status, document }: Pick<RedfishAnswer, 'status' | 'document'>): TaskProgress {
  const state = textAt(document, 'TaskState');
  if (state === undefined) return status === 202 ? 'running' : 'completed';
  if (state === 'Completed') return 'completed';
  return ['Exception', 'Killed', 'Cancelled', 'Interrupted'].includes(state) ? 'failed' : 'running';
}

async function awaitTask(connection: RedfishConnection, accepted: RedfishAnswer, signal: AbortSignal): Promise<void> {
  const link = accepted.location ?? textAt(accepted.document, '@odata.id');
  // Without a monitor there is nothing to wait for: readings of the power tell the rest.
  if (link === undefined) return;
  const path = connection.pathOf(link);
  let answer = accepted;
  while (taskProgress(answer) === 'running') {
    const waitMs = Math.min(answer.retryAfterMs ?? FIRST_POLL_MS, LONGEST_POLL_MS);
    await connection.clock.wait(Math.max(waitMs, 100), signal);
    const next = await pollTask(connection, path, signal);
    if (next === undefined) return;
    answer = next;
  }
  if (taskProgress(answer) === 'completed') return;
  const words = objectsAt(answer.document, 'Messages').map((each) => textAt(each, 'Message') ?? '');
  const end = textAt(answer.document, 'TaskState') ?? '';
  throw new BmcError('refused', `${path}: the task ended as ${connection.scrub(`${end}: ${words.join(' ')}`)}`);
}

/** Undefined if the task is gone: some controllers forget a task as soon as it has ended. */
async function pollTask(
  connection: RedfishConnection,
  path: string,
  signal: AbortSignal,
): Promise<RedfishAnswer | undefined> {
  try {
    return await connection.request({ method: 'GET', path, missing: 'no-such-system' }, signal);
  } catch (error) {
    if (error instanceof BmcError && (error.httpStatus === 404 || error.httpStatus === 410)) return undefined;
    throw error;
  }
}
