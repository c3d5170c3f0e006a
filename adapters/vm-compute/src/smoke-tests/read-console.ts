import { ComputeError } from '@smalt/compute';
import { isWebSocketError, openWebSocket } from '@smalt/websocket';

import type { InstanceKey } from '../instances/instance-key.ts';
import { subresourcePath } from '../subresources.ts';
import { asComputeErrors } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';

const PROTOCOLS = ['plain.kubevirt.io'];
const MOST_CHARACTERS = 64 * 1024;

export interface ConsoleListening {
  readonly forMs: number;
  readonly signal: AbortSignal;
}

/**
 * Listens to the serial console of an instance for a while, and gives what came. Nobody keeps what it wrote before, so an
 * empty line is sent first: a guest that waits for a login shows its name again.
 */
export async function readConsole(
  api: VmApiAccess,
  key: InstanceKey,
  { forMs, signal }: ConsoleListening,
): Promise<string> {
  const path = subresourcePath(key, 'virtualmachineinstances', 'console');
  const target = await asComputeErrors('read', () => api.client.upgradeTarget(path));
  const enough = AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
  let text = '';
  try {
    await using stream = await openWebSocket({ ...target, protocols: PROTOCOLS, signal: enough });
    const ended = untilAborted(enough);
    await stream.write(Buffer.from('\n'));
    const listening = listen(stream, (chunk) => (text = `${text}${chunk}`.slice(-MOST_CHARACTERS)));
    await Promise.race([listening, ended]);
  } catch (error) {
    signal.throwIfAborted();
    if (!enough.aborted) throw explained(error, key);
  }
  return text;
}

async function listen(stream: AsyncIterable<Uint8Array>, hear: (chunk: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) hear(decoder.decode(bytes, { stream: true }));
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function explained(error: unknown, { namespace, name }: InstanceKey): unknown {
  if (!isWebSocketError(error)) return error;
  const what = `the console of ${namespace}/${name} cannot be read: ${error.message}`;
  if (error.httpStatus === 404) return new ComputeError('not-found', what, { cause: error });
  return new ComputeError(error.httpStatus === 409 ? 'conflict' : 'unavailable', what, { cause: error });
}
