/** What can be done to a guest. */
export const ACTIONS = ['pause', 'unpause', 'freeze', 'unfreeze', 'reset', 'softreboot'] as const;
/** What can be asked of a guest. */
export const QUESTIONS = ['guestosinfo', 'userlist', 'filesystemlist'] as const;

export type ActionName = (typeof ACTIONS)[number];
export type QuestionName = (typeof QUESTIONS)[number];

/** The instance that a request is about. */
export interface OperationTarget {
  readonly namespace: string;
  readonly name: string;
}

/** What a request wants, with the instance it is about. */
export type NodeOperation = OperationTarget &
  (
    | { readonly kind: 'stream'; readonly subresource: 'console' | 'vnc' }
    | { readonly kind: 'stream'; readonly subresource: 'portforward'; readonly port: number }
    | { readonly kind: 'action'; readonly subresource: ActionName }
    | { readonly kind: 'question'; readonly subresource: QuestionName }
  );

/** The verb that a caller needs the right to. */
export function verbOf({ kind }: NodeOperation): 'get' | 'update' {
  return kind === 'action' ? 'update' : 'get';
}
