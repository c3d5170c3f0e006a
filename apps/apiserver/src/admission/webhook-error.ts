import type { JsonObject } from '@smalt/json';
import type { Status } from '@smalt/kubernetes';

import { StatusError } from '../errors/status-error.ts';
import { textAt } from '../identity/object-fields.ts';

/** A webhook could not be asked, or what it answered made no sense. */
export class WebhookCallError extends Error {
  readonly code = 'webhook-failed';

  constructor(webhook: string, reason: string, options?: ErrorOptions) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`, options);
    this.name = 'WebhookCallError';
  }
}

export function isWebhookCallError(error: unknown): error is WebhookCallError {
  return error instanceof WebhookCallError;
}

/** The refusal of a webhook, with the code and the reason that it gave. */
export class WebhookDenial extends StatusError {
  override readonly status: Status;

  constructor(webhook: string, result: JsonObject) {
    const message = denialMessage(webhook, result);
    super({ code: 400, reason: 'Unknown', message });
    const { code } = result;
    const reason = textAt(result, 'reason');
    const status = textAt(result, 'status');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a webhook says is passed on as it is
    this.status = {
      ...result,
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: status === '' || status === 'Success' ? 'Failure' : status,
      message,
      ...(reason === '' ? {} : { reason }),
      code: typeof code === 'number' && code >= 400 && code < 600 ? code : 400,
    } as unknown as Status;
  }
}

function denialMessage(webhook: string, result: JsonObject): string {
  const start = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = textAt(result, 'message') || textAt(result, 'reason');
  return why === '' ? `${start} without explanation` : `${start}: ${why}`;
}
