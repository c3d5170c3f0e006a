import { ComputeError } from '@smalt/compute';
import type { UpgradeTarget } from '@smalt/kube';
import { untilAborted } from '@smalt/service-runtime';
import type { ConsoleListening } from '@smalt/vm-compute';
import { isWebSocketError, openWebSocket, type WebSocketStream } from '@smalt/websocket';

const PROTOCOLS = ['plain.kubevirt.io'];
const MOST_CHARACTERS = 64 * 1024;
const EMPTY_LINE = Buffer.from('\n');

/** Sends an empty line to a serial console, listens for a while, and gives what came. Throws a `ComputeError`. */
export async function readConsole(
  target: UpgradeTarget,
  { instance, forMs, signal }: ConsoleListening,
): Promise<string> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
  const heard = { text: '' };
  try {
    await using stream = await openWebSocket({ ...target, protocols: PROTOCOLS, signal: enough });
    await stream.write(EMPTY_LINE);
    await Promise.race([listen(stream, heard), untilAborted(enough)]);
  } catch (error) {
    if (signal.aborted)
      throw new ComputeError('aborted', `nobody waits for the console of ${instance}`, { cause: error });
    if (!enough.aborted) throw explained(error, instance);
  }
  return heard.text;
}

async function listen(stream: WebSocketStream, heard: { text: string }): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    heard.text = `${heard.text}${decoder.decode(bytes, { stream: true })}`.slice(-MOST_CHARACTERS);
  }
}

function explained(error: unknown, instance: string): unknown {
  if (!isWebSocketError(error)) return error;
  const message = `the console of ${instance} cannot be read: ${error.message}`;
  if (error.httpStatus === 404) return new ComputeError('not-found', message, { cause: error });
  return new ComputeError(error.httpStatus === 409 ? 'conflict' : 'unavailable', message, { cause: error });
}
