import type { JsonValue } from '@smalt/json';

/** A message of JSON-RPC 1.0. A notification is a request that wants no answer. */
export type JsonRpcMessage =
  | {
      readonly kind: 'request';
      readonly id: JsonValue;
      readonly method: string;
      readonly params: readonly JsonValue[];
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: readonly JsonValue[] }
  | { readonly kind: 'result'; readonly id: JsonValue; readonly result: JsonValue }
  | { readonly kind: 'error'; readonly id: JsonValue; readonly error: JsonValue };
