import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import type { KubeClient } from '@smalt/kube';
import { isWebSocketError, openWebSocket } from '@smalt/websocket';

const PROTOCOLS = ['plain.kubevirt.io'];
const ANSWER_MS = 30_000;
const GROUP = '/apis/subresources.kubevirt.io/v1';
/** Of a message that never ends no more is kept. */
const MOST_CHARACTERS = 16_777_216;

export interface TelemetryRequest {
  /** Below the group: `nodes/n1/usage`. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * What a node tells, message by message, until it ends or the signal fires. Throws a `WebSocketError` when it is refused, with
 * the words of the server in it, and when it is lost.
 */
export async function* readTelemetry(
  client: Pick<KubeClient, 'upgradeTarget'>,
  { path, query = {} }: TelemetryRequest,
  signal: AbortSignal,
): AsyncGenerator<JsonObject, void> {
  const place = [GROUP, ...path.map(encodeURIComponent)].join('/');
  const target = await client.upgradeTarget(place, new URLSearchParams(query));
  const soon = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  await using stream = await openWebSocket({ ...target, protocols: PROTOCOLS, signal: soon });
  const onAbort = (): void => stream.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    yield* messagesIn(stream);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function* messagesIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    const lines = text.split('\n');
    text = (lines.pop() ?? '').slice(-MOST_CHARACTERS);
    for (const line of lines) {
      const message = parseJson(line);
      if (isJsonObject(message)) yield message;
    }
  }
}

/** What a server said instead of telling anything; undefined where it was something else. */
export function refusalIn(error: unknown): { readonly status: number; readonly message: string } | undefined {
  if (!isWebSocketError(error, 'refused') || error.httpStatus === undefined) return undefined;
  return { status: error.httpStatus, message: messageIn(error.answer ?? '') ?? error.message };
}

function messageIn(answer: string): string | undefined {
  try {
    const read = parseJson(answer);
    const message = isJsonObject(read) ? read['message'] : undefined;
    return typeof message === 'string' ? message : undefined;
  } catch {
    // It is no Status: then what the server said is of no use to a person.
    return undefined;
  }
}
