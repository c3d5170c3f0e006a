import { NODE_LOG_UNITS, type NodeUsage, type VirtualMachineInstance } from '@smalt/vm-api';

import type { LogExtent, NodeLogs } from '../../logs/node-logs.ts';
import type { RunningInstances } from '../../sync/running-instances.ts';
import type { UsageSampler } from '../../usage/usage-sampler.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { AdmittedToWatch } from '../server/admit-request.ts';
import type { GuestLink } from './relay.ts';

export interface TelemetryDeps {
  readonly instances: RunningInstances;
  readonly sampler: UsageSampler;
  readonly logs: NodeLogs;
}

const MOST_SECONDS = 86_400;
const MOST_LINES = 10_000;
const USUAL_LINES = 200;

/** Opens what somebody wants to be told of, as messages of JSON with a line feed behind each. Throws what is wrong with the request. */
export async function openTelemetry(deps: TelemetryDeps, admitted: AdmittedToWatch): Promise<GuestLink> {
  const stop = new AbortController();
  const messages = await messagesOf(deps, admitted, stop.signal);
  return {
    incoming: printed(messages),
    // Nothing is asked of who only listens.
    write: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => {
      stop.abort(new Error('nobody listens any more'));
      return Promise.resolve();
    },
  };
}

async function messagesOf(
  deps: TelemetryDeps,
  { operation, instance, query }: AdmittedToWatch,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  switch (operation.subresource) {
    case 'usage': {
      const count = numberIn(query, 'seconds', { least: 1, most: MOST_SECONDS }) ?? Infinity;
      if (instance !== undefined) requireDomain(deps, instance);
      const samples = deps.sampler.samples(signal);
      return instance === undefined ? first(samples, count) : first(usagesOf(deps, instance, samples), count);
    }
    case 'logs':
      return linesOf(await flowOf(deps.logs, { instance, query }, signal));
  }
}

function requireDomain(
  { instances }: TelemetryDeps,
  { metadata: { namespace = '', name } }: VirtualMachineInstance,
): void {
  if (instances.find(namespace, name) === undefined) throw new VirtHandlerError('conflict', 'VMI is not running');
}

/** What one instance uses; ends when its guest has ended here, or has left. */
async function* usagesOf(
  { instances }: TelemetryDeps,
  { metadata }: VirtualMachineInstance,
  samples: AsyncIterable<NodeUsage>,
): AsyncGenerator {
  const { namespace = '', name } = metadata;
  for await (const { machines } of samples) {
    const found = machines.find((each) => each.namespace === namespace && each.name === name);
    if (found !== undefined) {
      const { namespace: _namespace, name: _name, ...usage } = found;
      yield usage;
    } else if (instances.find(namespace, name) === undefined) return;
  }
}

async function flowOf(
  logs: NodeLogs,
  { instance, query }: Pick<AdmittedToWatch, 'instance' | 'query'>,
  signal: AbortSignal,
): ReturnType<NodeLogs['ofNode']> {
  const extent = extentIn(query);
  if (instance !== undefined) return logs.ofInstance(instance, extent, signal);
  const asked = query.get('unit') ?? '';
  const unit = NODE_LOG_UNITS.find((each) => each === asked);
  if (unit !== undefined) return await logs.ofNode(unit, extent, signal);
  const text = `unit: ${JSON.stringify(asked)} is no log of a node: give one of ${NODE_LOG_UNITS.join(', ')}`;
  throw new VirtHandlerError('bad-request', text, { field: 'unit' });
}

function extentIn(query: URLSearchParams): LogExtent {
  const lines = numberIn(query, 'lines', { least: 0, most: MOST_LINES }) ?? USUAL_LINES;
  const follow = query.get('follow') ?? 'true';
  if (follow === 'true' || follow === 'false') return { lines, isFollowed: follow === 'true' };
  throw new VirtHandlerError('bad-request', `follow: ${JSON.stringify(follow)} is neither true nor false`, {
    field: 'follow',
  });
}

function numberIn(
  query: URLSearchParams,
  field: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = query.get(field);
  if (text === null) return undefined;
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  const message = `${field}: ${JSON.stringify(text)} is no number from ${least} to ${most}`;
  throw new VirtHandlerError('bad-request', message, { field });
}

async function* linesOf(flow: AsyncIterable<unknown>): AsyncGenerator {
  for await (const lines of flow) yield { lines };
}

async function* first<T>(all: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count;
  for await (const each of all) {
    yield each;
    left -= 1;
    if (left <= 0) return;
  }
}

async function* printed(messages: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const message of messages) yield `${JSON.stringify(message)}\n`;
}
