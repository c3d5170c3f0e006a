/** What can be done to a guest. */
export const ACTIONS = ['pause', 'unpause', 'freeze', 'unfreeze', 'reset', 'softreboot'] as const;
/** What can be asked of a guest. */
export const QUESTIONS = ['guestosinfo', 'userlist', 'filesystemlist'] as const;

export type ActionName = (typeof ACTIONS)[number];
export type QuestionName = (typeof QUESTIONS)[number];

/** What can be watched of a guest, and of the node. */
export const TELEMETRY = ['usage', 'logs'] as const;
export type TelemetryName = (typeof TELEMETRY)[number];

/** What a request is about; a node stands in no namespace. */
export interface OperationTarget {
  readonly resource: 'virtualmachineinstances' | 'nodes';
  readonly namespace: string;
  readonly name: string;
}

/** What a request wants of a guest, which has to run for that. */
export type GuestOperation = OperationTarget &
  (
    | { readonly kind: 'stream'; readonly subresource: 'console' | 'vnc' }
    | { readonly kind: 'stream'; readonly subresource: 'portforward'; readonly port: number }
    | { readonly kind: 'action'; readonly subresource: ActionName }
    | { readonly kind: 'question'; readonly subresource: QuestionName }
  );

/** Asks to be told from now on. */
export type TelemetryOperation = OperationTarget & { readonly kind: 'telemetry'; readonly subresource: TelemetryName };

export type NodeOperation = GuestOperation | TelemetryOperation;

/** The verb that a caller needs the right to. */
export function verbOf({ kind }: NodeOperation): 'get' | 'update' {
  return kind === 'action' ? 'update' : 'get';
}
