import { isKubeError } from '@smalt/kube';
import { fieldOf, type AccessReviews } from '@smalt/kubernetes-callers';
import { decidePodEviction, evictedInstanceName, type ClusterSettings, type EvictedPod } from '@smalt/vm-admission';

import type { ObjectReader, ObjectWriter } from '../cluster/cluster-objects.ts';
import type { Pod } from '../cluster/kubernetes-kinds.ts';
import { refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';
import type { AdmissionWrite } from './admission-write.ts';

export interface EvictionDeps {
  readonly settings: ClusterSettings;
  readonly reader: Pick<ObjectReader, 'pod' | 'instance' | 'node'>;
  readonly writer: Pick<ObjectWriter, 'patch'>;
  readonly access: Pick<AccessReviews, 'may'>;
}

const TOO_MANY_REQUESTS = 429;

/**
 * Lets a pod be evicted, or refuses with 429 until its guest has moved. The guest is told to move when the one who asks may
 * evict the pod. On a review that anybody could have sent it is told so only if its node is cordoned: that is in the
 * cluster, and nobody can forge it.
 */
export async function admitEviction(deps: EvictionDeps, write: AdmissionWrite, signal: AbortSignal): Promise<void> {
  const { namespace } = write;
  const found = await deps.reader.pod({ namespace, name: write.name || nameOf(write.object) }, signal);
  // A pod that is gone is for the server to tell of.
  if (found === undefined) return;
  const pod = evictedPod(found);
  const owner = await ownerOf(deps, found, signal);
  const asked = { pod, ...(owner === undefined ? {} : { owner }), annotations: annotationsOf(write.object) };
  const name = evictedInstanceName(asked);
  const instance = name === undefined ? undefined : await deps.reader.instance({ namespace, name }, signal);
  const decision = decidePodEviction({ ...asked, ...(instance === undefined ? {} : { instance }) }, deps.settings);
  if (decision.kind === 'allow') return;
  if (decision.kind === 'evacuate' && name !== undefined && !isDryRun(write)) {
    const nodeName = instance?.status?.nodeName ?? '';
    if (!write.isProven && !(await isCordoned(deps, nodeName, signal)))
      throw unproven(`${namespace}/${name}`, nodeName);
    await checkRight(deps, write, pod.name, signal);
    await mark(deps, { namespace, name }, decision.operations, signal);
  }
  throw refusal(statusOf(TOO_MANY_REQUESTS, decision.message));
}

async function isCordoned({ reader }: EvictionDeps, nodeName: string, signal: AbortSignal): Promise<boolean> {
  const node = nodeName === '' ? undefined : await reader.node(nodeName, signal);
  return node?.spec?.unschedulable === true;
}

function unproven(instance: string, nodeName: string): VirtApiError {
  const why = `the node ${nodeName} is not cordoned, and nothing shows that the API server sent this review`;
  const advice =
    'cordon the node first, as kubectl drain does, or have the API server show webhooks its client certificate';
  return refusal(statusOf(TOO_MANY_REQUESTS, `VMI ${instance} is not told to move: ${why}; ${advice}`));
}

async function checkRight(
  { access }: EvictionDeps,
  { user, namespace }: AdmissionWrite,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const asking = { name: user.name, user: { username: user.name, groups: user.groups, extra: user.extra } };
  const right = { group: '', resource: 'pods', subresource: 'eviction', verb: 'create', namespace, name };
  if (await access.may(asking, right, signal)) return;
  const message = `${user.name} may not create pods/eviction of ${namespace}/${name}, so its guest is not told to move`;
  throw refusal(statusOf(403, message));
}

async function mark(
  { writer }: EvictionDeps,
  key: { readonly namespace: string; readonly name: string },
  operations: Parameters<ObjectWriter['patch']>[1]['operations'],
  signal: AbortSignal,
): Promise<void> {
  try {
    await writer.patch(key, { target: 'instance', operations }, { dryRun: false, signal });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // It changes at this very moment: whoever drains the node asks again soon.
    const isPassing = isKubeError(error, 'conflict', 'invalid', 'not-found');
    const message = `VMI ${key.namespace}/${key.name} could not be marked for evacuation: ${error.message}`;
    throw refusal(statusOf(isPassing ? TOO_MANY_REQUESTS : 500, message), { cause: error });
  }
}

/** The launcher pod that a pod with plugged volumes belongs to. */
async function ownerOf({ reader }: EvictionDeps, pod: Pod, signal: AbortSignal): Promise<EvictedPod | undefined> {
  const { namespace = '', ownerReferences = [] } = pod.metadata;
  const owner = ownerReferences.find(({ kind, controller }) => kind === 'Pod' && controller === true);
  const found = owner === undefined ? undefined : await reader.pod({ namespace, name: owner.name }, signal);
  return found === undefined ? undefined : evictedPod(found);
}

function evictedPod({ metadata, spec, status }: Pod): EvictedPod {
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    nodeName: spec?.nodeName ?? '',
    phase: status?.phase ?? '',
  };
}

function isDryRun({ dryRun, object }: AdmissionWrite): boolean {
  const asked = fieldOf(fieldOf(object, 'deleteOptions'), 'dryRun');
  return dryRun || (Array.isArray(asked) && asked.includes('All'));
}

function nameOf(eviction: unknown): string {
  const name = fieldOf(fieldOf(eviction, 'metadata'), 'name');
  return typeof name === 'string' ? name : '';
}

function annotationsOf(eviction: unknown): Readonly<Record<string, string>> {
  const annotations = fieldOf(fieldOf(eviction, 'metadata'), 'annotations');
  if (typeof annotations !== 'object' || annotations === null) return {};
  const texts = Object.entries(annotations).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
