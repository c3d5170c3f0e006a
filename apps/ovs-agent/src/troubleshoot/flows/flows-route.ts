import type { OpenFlowConnection } from '@smalt/ovs';

import { OvsAgentError } from '../../ovs-agent-error.ts';
import type { SwitchAccess } from '../../switch-access.ts';
import { requireNone } from '../request/check-fields.ts';
import type { Answered, Call } from '../server/call.ts';
import { printLargeJson } from '../server/send-reply.ts';
import { flowJson, flowText } from './flow-line.ts';
import { readFlowQuery, type FlowQuery, type PortNumbers } from './read-flow-query.ts';

const LOCAL_PORT = 65_534;
/** Lines are sent in parts of about this size: one by one they would cost more than the flows. */
const PART_CHARACTERS = 16_384;

/** Answers `GET /v1/flows`: flow by flow, as fast as the caller takes them. */
export async function handleFlows(access: SwitchAccess, call: Call): Promise<Answered> {
  const { bridge, ports } = bridgeOf(access, call.query.get('bridge'));
  const query = readFlowQuery(call.query, ports);
  const connection = await access.openFlow(bridge, call.signal);
  const type = call.wantsText ? 'text/plain; charset=utf-8' : 'application/x-ndjson';
  const headers = { trailer: 'smalt-flows, smalt-complete' };
  return {
    reply: { kind: 'stream', type, headers, chunks: flowLines(connection, query, call) },
    resources: connection,
  };
}

async function* flowLines(
  connection: OpenFlowConnection,
  { filter, limit }: FlowQuery,
  { wantsText, signal }: Call,
): AsyncGenerator<string, Readonly<Record<string, string>>> {
  let part = '';
  let count = 0;
  let isComplete = true;
  for await (const flow of connection.flows(filter, { signal })) {
    if (count >= limit) {
      isComplete = false;
      break;
    }
    count++;
    part += `${wantsText ? flowText(flow) : printLargeJson(flowJson(flow))}\n`;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
  return { 'smalt-flows': String(count), 'smalt-complete': String(isComplete) };
}

function bridgeOf(access: SwitchAccess, name: string | null): { readonly bridge: string; readonly ports: PortNumbers } {
  const { configuration } = access.facts();
  if (configuration === undefined)
    throw new OvsAgentError('unavailable', 'the switch has not been read yet: try again');
  const found = configuration.bridges.find((bridge) => bridge.name === name);
  if (found === undefined) {
    const names = configuration.bridges.map((bridge) => bridge.name).join(', ');
    const message =
      name === null ? `is missing; there are ${names}` : `there is no bridge "${name}" here; there are: ${names}`;
    requireNone([{ field: 'bridge', message }]);
  }
  const devices = found?.ports.flatMap(({ interfaces }) => interfaces) ?? [];
  const numbered = devices.filter(({ ofport }) => (ofport ?? -1n) > 0n);
  const ports = new Map(numbered.map(({ name: device, ofport }) => [device, Number(ofport)] as const));
  return { bridge: name ?? '', ports: new Map([...ports, ['LOCAL', LOCAL_PORT] as const]) };
}
