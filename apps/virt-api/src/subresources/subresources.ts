import {
  decideConsole,
  decideDisplay,
  decidePortForward,
  statusOfRefusal,
  type SubresourceDecision,
} from '@smalt/vm-admission';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { instanceTarget, nodeTarget, type HandlerTarget } from '../handler/handler-target.ts';
import { notWebsocket, type NodeStreams, type StreamClient } from '../handler/node-streams.ts';
import { refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';
import type { SubresourceRequest } from './find-subresource.ts';
import { instanceActions } from './instance-actions.ts';
import { expandSentMachine, machineActions } from './machine-actions.ts';
import { requireInstance, requireMachine } from './required-objects.ts';
import type { SubresourceAnswer } from './subresource-answer.ts';
import type { SubresourceAction, SubresourceCall, SubresourceDeps } from './subresource-call.ts';

export interface SubresourcesDeps extends SubresourceDeps {
  readonly streams: Pick<NodeStreams, 'join'>;
}

type StreamDecision = (instance: VirtualMachineInstance) => SubresourceDecision;

const STREAMS: Readonly<Record<string, StreamDecision>> = {
  console: decideConsole,
  vnc: decideDisplay,
  portforward: decidePortForward,
  // Whether there is anything to tell is for the node to say: a log outlives its guest.
  usage: () => ({ kind: 'forward' }),
  logs: () => ({ kind: 'forward' }),
};
/** What of a query handlers know. */
const PASSED_ON = ['preserveSession', 'seconds', 'lines', 'unit', 'follow'];

/** Serves all subresources, to those who may. */
export class Subresources {
  readonly #deps: SubresourcesDeps;

  constructor(deps: SubresourcesDeps) {
    this.#deps = deps;
  }

  /** Answers a request. What is refused is thrown. */
  async call(call: SubresourceCall): Promise<SubresourceAnswer> {
    const { route } = call.request;
    if (route.kind === 'missing') throw notServed(route.name);
    if (route.kind === 'stream') throw notWebsocket();
    const action = actionOf(route.name);
    if (action === undefined) throw notServed(route.name);
    return await action(this.#deps, call);
  }

  /** Joins a client with the guest or its node, until one of them has enough. What is refused before it began is thrown. */
  async stream(request: SubresourceRequest, client: StreamClient): Promise<void> {
    const { route } = request;
    if (route.kind === 'missing') throw notServed(route.name);
    const [resource = '', subresource = ''] = route.name.split('/');
    const decide = route.kind === 'stream' ? STREAMS[subresource] : undefined;
    if (decide === undefined) throw refusal(statusOf(400, `${route.name} is no stream: ask without an upgrade`));
    const path = subresource === 'portforward' ? `portforward/${portOf(request.rest)}` : subresource;
    const target = await this.#targetOf(request, resource, { decide, signal: client.signal });
    await this.#deps.streams.join(target, { subresource: path, query: passedOn(request.query) }, client);
  }

  async #targetOf(
    request: SubresourceRequest,
    resource: string,
    { decide, signal }: { readonly decide: StreamDecision; readonly signal: AbortSignal },
  ): Promise<HandlerTarget> {
    if (resource === 'nodes') return nodeTarget(request.name);
    if (resource === 'virtualmachines') await requireMachine(this.#deps, request, signal);
    const instance = await requireInstance(this.#deps, request, signal);
    const decision = decide(instance);
    if (decision.kind === 'refuse') throw refusal(statusOfRefusal(decision));
    return instanceTarget(instance);
  }
}

function actionOf(name: string): SubresourceAction | undefined {
  const [resource = '', ...words] = name.split('/');
  switch (resource) {
    case 'virtualmachines':
      return machineActions[words.join('/')];
    case 'virtualmachineinstances':
      return instanceActions[words.join('/')];
    case 'expand-vm-spec':
      return expandSentMachine;
    case 'version':
      return (deps) => Promise.resolve({ code: 200, body: deps.version });
    case 'healthz':
      return () => Promise.resolve({ code: 200, body: { apiserver: { connectivity: 'ok' } } });
    default:
      return undefined;
  }
}

/** The port of `portforward/22/tcp`. */
function portOf([text = '', protocol = 'tcp', ...more]: readonly string[]): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) {
    throw refusal(statusOf(400, `portforward: ${JSON.stringify(text)} is no port: use portforward/22 for port 22`));
  }
  if (protocol !== 'tcp' || more.length > 0) {
    const asked = [protocol, ...more].join('/');
    throw refusal(statusOf(400, `portforward: ${JSON.stringify(asked)} cannot be forwarded: only tcp can`));
  }
  return port;
}

/** Of the query only what handlers know. */
function passedOn(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => PASSED_ON.includes(name)));
}

function notServed(name: string): VirtApiError {
  return refusal(
    statusOf(501, `${name} is not served here: GET /apis/subresources.kubevirt.io/v1 lists what there is`),
  );
}
