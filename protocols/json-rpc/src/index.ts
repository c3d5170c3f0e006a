export { type FramerLimits, JsonFramer } from './json-framer.ts';
export { isJsonRpcError, JsonRpcError, type JsonRpcErrorCode } from './json-rpc-error.ts';
export type { JsonRpcMessage } from './json-rpc-message.ts';
export { printMessage } from './print-message.ts';
export { readMessage } from './read-message.ts';
