import type { KubernetesObject } from '@smalt/kubernetes';

import { NOTHING_KNOWN, type Followed } from './followed.ts';
import type { LiveChanges, LiveMessage } from './live-message.ts';
import { objectKey } from './object-key.ts';

type MessageOfOne = Exclude<LiveMessage, { kind: 'signedOut' }>;

interface Draft {
  state: Followed['state'];
  byKey: Map<string, KubernetesObject>;
  pending: Map<string, KubernetesObject> | undefined;
}

/** What is known after these messages. An object that did not change stays the same object. */
export function applyMessages(before: Followed, messages: readonly MessageOfOne[]): Followed {
  const draft: Draft = {
    state: before.state,
    byKey: new Map(before.byKey),
    pending: before.pending === undefined ? undefined : new Map(before.pending),
  };
  for (const message of messages) applyMessage(draft, message);
  return draft;
}

/** The keys whose object is another one, or none any more. */
export function changedKeys(before: Followed, after: Followed): readonly string[] {
  const changed = [...after.byKey].filter(([key, object]) => before.byKey.get(key) !== object).map(([key]) => key);
  const gone = [...before.byKey.keys()].filter((key) => !after.byKey.has(key));
  return [...changed, ...gone];
}

function applyMessage(draft: Draft, message: MessageOfOne): void {
  switch (message.kind) {
    case 'changes':
      applyChanges(draft, message);
      return;
    case 'broken':
      draft.state = { kind: 'broken', message: message.message };
      return;
    case 'refused':
      draft.state = { kind: 'refused', status: message.status, message: message.message };
      draft.byKey = new Map(NOTHING_KNOWN.byKey);
      draft.pending = undefined;
      return;
  }
}

function applyChanges(draft: Draft, changes: LiveChanges): void {
  // A list that replaces another one comes in pieces; until the last, the old one is better than half of the new.
  if (changes.isReset) draft.pending = new Map();
  const target = draft.pending ?? draft.byKey;
  for (const object of changes.put) {
    const key = objectKey(object.metadata);
    target.set(key, sameOrNewer(draft.byKey.get(key), object));
  }
  for (const key of changes.gone) target.delete(key);
  if (changes.isComplete) draft.state = { kind: 'ready' };
  const isFirst = draft.byKey.size === 0;
  if (draft.pending === undefined || !(changes.isComplete || isFirst)) return;
  draft.byKey = draft.pending;
  draft.pending = undefined;
}

function sameOrNewer(known: KubernetesObject | undefined, told: KubernetesObject): KubernetesObject {
  if (known === undefined || told.metadata.resourceVersion === undefined) return told;
  const isSame =
    known.metadata.resourceVersion === told.metadata.resourceVersion && known.metadata.uid === told.metadata.uid;
  return isSame ? known : told;
}
