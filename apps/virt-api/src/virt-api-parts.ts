import type { KubeClient, Identity } from '@smalt/kube';
import { AccessReviews } from '@smalt/kubernetes-callers';
import type { MetricsRegistry } from '@smalt/service-runtime';
import type { ClusterSettings } from '@smalt/vm-admission';

import { ObjectShapes } from './admission/object-shapes.ts';
import type { ControlPlane } from './admission/requester-of.ts';
import { virtAdmission, type VirtAdmission } from './admission/virt-admission.ts';
import { ClusterObjects } from './cluster/cluster-objects.ts';
import { PresetLooks } from './cluster/preset-looks.ts';
import {
  readHandlerCredentials,
  tokenCredentials,
  type FindHandlerCredentials,
} from './handler/handler-credentials.ts';
import { HandlerTokens, type HandlerTokenSettings } from './handler/handler-tokens.ts';
import { HandlerCalls } from './handler/node-calls.ts';
import { NodeStreams } from './handler/node-streams.ts';
import { virtApiMetrics, type VirtApiMetrics } from './metrics/virt-api-metrics.ts';
import { Subresources } from './subresources/subresources.ts';
import { VERSION_DOCUMENT } from './subresources/version-document.ts';

/** What admission and subresources are made of. */
export interface VirtApiOptions {
  /** Stands for a user whom `controlPlane.api` names: others may not write the status of instances. */
  readonly client: KubeClient;
  readonly settings: ClusterSettings;
  readonly controlPlane: ControlPlane;
  readonly metrics: MetricsRegistry;
  /** By what handlers know us; the identity of the client unless it is given. */
  readonly handlerIdentity?: Identity;
  /** How tokens are made that one handler takes each; then nothing else is shown to them. */
  readonly handlerTokens?: HandlerTokenSettings;
  /** How many consoles, screens and forwarded ports there may be at a time. */
  readonly mostStreams?: number;
  readonly now?: () => Date;
  readonly randomUuid?: () => string;
}

/** Admission and subresources, to be plugged into a server or to be served by one of our own. */
export interface VirtApiParts {
  readonly admission: VirtAdmission;
  readonly subresources: Subresources;
  readonly metrics: VirtApiMetrics;
}

const MOST_STREAMS = 1_000;

/** Puts admission and subresources together. */
export async function openVirtApiParts(options: VirtApiOptions): Promise<VirtApiParts> {
  const { client, settings, controlPlane, metrics } = options;
  const { now = () => new Date(), randomUuid = () => crypto.randomUUID() } = options;
  const objects = new ClusterObjects(client);
  const shapes = await ObjectShapes.read();
  const admission = virtAdmission({
    settings,
    controlPlane,
    reader: objects,
    presets: new PresetLooks({ reader: objects, clock: performance }),
    writer: objects,
    access: new AccessReviews({ client, clock: performance }),
    shapes,
    now,
    randomUuid,
  });
  const handlers = { reader: objects, credentials: credentialsOf(options) };
  const streams = new NodeStreams({ ...handlers, mostStreams: options.mostStreams ?? MOST_STREAMS });
  const counted = virtApiMetrics(metrics, () => streams.open);
  const nodes = new HandlerCalls(handlers);
  const deps = { objects, settings, nodes, streams, admission, version: VERSION_DOCUMENT };
  return { admission, subresources: new Subresources(deps), metrics: counted };
}

function credentialsOf({ client, handlerIdentity, handlerTokens }: VirtApiOptions): FindHandlerCredentials {
  const identity = handlerIdentity ?? client.config.identity;
  if (handlerTokens === undefined) return () => readHandlerCredentials(identity);
  const tokens = new HandlerTokens({ ...handlerTokens, client, clock: performance });
  return async (nodeName, signal) => tokenCredentials(await tokens.get(nodeName, signal));
}
