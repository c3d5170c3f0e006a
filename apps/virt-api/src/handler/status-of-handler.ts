import { isJsonObject } from '@smalt/json';
import type { Status } from '@smalt/kubernetes';

import { statusOf } from '../virt-api-error.ts';
import type { HandlerAnswer } from './handler-answer.ts';

const MOST_TEXT = 1_000;

/** What the client is told when a handler refuses: its own words where they are a Status, else a Status around them. */
export function statusOfHandler({ code, body, text }: HandlerAnswer): Status {
  const own = isJsonObject(body) ? body : {};
  const { message, detail } = own;
  const said = [message, detail].find((value) => typeof value === 'string') ?? text.trim().slice(0, MOST_TEXT);
  // That the handler does not know us, or lets us not in, is no fault of who asked.
  if (code === 401 || code === 403) return statusOf(500, `virt-handler refuses virt-api (${code}): ${said}`);
  const { reason } = own;
  const status = statusOf(code, said);
  return typeof reason === 'string' && own['kind'] === 'Status' ? { ...status, reason } : status;
}
