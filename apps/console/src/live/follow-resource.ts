import { follow, isInitialEnd, type KubeClient, type KubeError } from '@smalt/kube';
import type { KubernetesObject, WatchEvent } from '@smalt/kubernetes';

import { isKubeError } from '@smalt/kube';
import type { FollowContext } from './follow-context.ts';
import { keepFollowing, requireRoom } from './keep-following.ts';
import type { Followed } from './live-message.ts';
import { keyOf, shownObject } from './shown-object.ts';

/** One loss of connection heals by itself, and nothing is missed; more of them are told. */
const SILENT_FAILURES = 1;

/** Tells a page of the objects of a collection, until the signal fires or that can never be. */
export async function followResource(
  client: KubeClient,
  followed: Followed & { readonly kind: 'resource' },
  context: FollowContext,
  signal: AbortSignal,
): Promise<void> {
  await keepFollowing(
    context,
    (onComplete, inner) => followOnce({ client, followed, context, onComplete }, inner),
    signal,
  );
}

interface OneFollow {
  readonly client: KubeClient;
  readonly followed: Followed & { readonly kind: 'resource' };
  readonly context: FollowContext;
  readonly onComplete: () => void;
}

async function followOnce({ client, followed, context, onComplete }: OneFollow, signal: AbortSignal): Promise<void> {
  const { resource, namespace, fieldSelector, labelSelector } = followed;
  const over = new AbortController();
  let failures = 0;
  const lost: { error?: KubeError } = {};
  const onFailure = (error: KubeError): void => {
    failures++;
    if (isKubeError(error, 'unauthorized')) context.onUserUnknown();
    if (failures <= SILENT_FAILURES) return;
    lost.error = error;
    over.abort(error);
  };
  const until = AbortSignal.any([signal, over.signal]);
  const selection = { namespace, fieldSelector, labelSelector };
  let isFirst = true;
  for await (const events of follow(client.resource(resource), { ...selection, signal: until, onFailure })) {
    failures = 0;
    await requireRoom(context, until);
    if (isFirst) context.slot.reset();
    isFirst = false;
    take(events, context);
    if (events.some(isInitialEnd)) onComplete();
  }
  if (lost.error !== undefined) throw lost.error;
}

function take(events: readonly WatchEvent<KubernetesObject>[], { slot, outbox }: FollowContext): void {
  for (const event of events) {
    if (event.type === 'ADDED' || event.type === 'MODIFIED') slot.put(keyOf(event.object), shownObject(event.object));
    if (event.type === 'DELETED') slot.gone(keyOf(event.object));
    if (isInitialEnd(event)) slot.complete();
  }
  if (!slot.isEmpty) outbox.wake();
}
