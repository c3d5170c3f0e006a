import { printJson } from '@smalt/json';

import type { JsonRpcMessage } from './json-rpc-message.ts';

/** Writes one message. It carries no version: Open vSwitch hangs up on one that does. */
export function printMessage(message: JsonRpcMessage): string {
  switch (message.kind) {
    case 'request':
      return printJson({ method: message.method, params: message.params, id: message.id });
    case 'notification':
      return printJson({ method: message.method, params: message.params, id: null });
    case 'result':
      return printJson({ id: message.id, result: message.result, error: null });
    case 'error':
      return printJson({ id: message.id, result: null, error: message.error });
  }
}
