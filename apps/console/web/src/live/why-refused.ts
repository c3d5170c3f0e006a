import type { ApiClient } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';

/** Why a stream could not be opened. */
export interface Refusal {
  /** The server's words; empty when nobody knows. */
  readonly message: string;
  /** Whether another attempt would be answered the same. */
  readonly isFinal: boolean;
}

/** Not 401: whether the session is over is asked elsewhere, and one refusal does not say it. */
const FINAL: readonly number[] = [403, 404];

/** Why a websocket could not be opened, which browsers do not tell: the same path is asked without one. */
export async function whyRefused(api: Pick<ApiClient, 'call'>, path: string): Promise<Refusal> {
  const failure: unknown = await api.call('GET', path).catch((error: unknown) => error);
  // 400 only says that this path wants a websocket.
  if (!(failure instanceof ApiError) || failure.status === 400) return { message: '', isFinal: false };
  return { message: failure.message, isFinal: FINAL.includes(failure.status) };
}
