import type { KubernetesObject } from '@smalt/kubernetes';

/** What the server says on the one connection that carries all that is followed. */
export type LiveMessage =
  | LiveChanges
  | { readonly kind: 'refused'; readonly id: number; readonly status: number; readonly message: string }
  | { readonly kind: 'broken'; readonly id: number; readonly message: string }
  | { readonly kind: 'signedOut' };

export interface LiveChanges {
  readonly kind: 'changes';
  readonly id: number;
  /** Whether what was known before is replaced. */
  readonly isReset: boolean;
  /** Whether this is the last piece of what replaces it. */
  readonly isComplete: boolean;
  readonly put: readonly KubernetesObject[];
  /** Keys of objects that are no more. */
  readonly gone: readonly string[];
}

/** The messages of one frame. What is not understood is left out: a newer server may say more than this page knows. */
export function parseLiveMessages(text: string): readonly LiveMessage[] {
  const parsed: unknown = JSON.parse(text);
  const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return messages.map(parseMessage).filter((message) => message !== undefined);
}

function parseMessage(value: unknown): LiveMessage | undefined {
  if (!isRecord(value)) return undefined;
  if (value['kind'] === 'signedOut') return { kind: 'signedOut' };
  const id = value['id'];
  if (typeof id !== 'number') return undefined;
  const message = typeof value['message'] === 'string' ? value['message'] : '';
  if (value['kind'] === 'changes') return parseChanges(id, value);
  if (value['kind'] === 'broken') return { kind: 'broken', id, message };
  if (value['kind'] !== 'refused') return undefined;
  return { kind: 'refused', id, status: typeof value['status'] === 'number' ? value['status'] : 403, message };
}

function parseChanges(id: number, value: Readonly<Record<string, unknown>>): LiveChanges {
  const put: readonly unknown[] = Array.isArray(value['put']) ? value['put'] : [];
  const gone: readonly unknown[] = Array.isArray(value['gone']) ? value['gone'] : [];
  return {
    kind: 'changes',
    id,
    isReset: value['isReset'] === true,
    isComplete: value['isComplete'] === true,
    put: put.filter(isObject),
    gone: gone.filter((key) => typeof key === 'string'),
  };
}

function isObject(value: unknown): value is KubernetesObject {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['metadata']['name'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
