import { traceFlow } from '@smalt/ovs';

import { OvsAgentError } from '../../ovs-agent-error.ts';
import type { SwitchAccess } from '../../switch-access.ts';
import type { Answered, Call } from '../server/call.ts';
import { readTraceRequest, type KnownPorts } from './read-trace-request.ts';

const LOCAL_PORT = 65_534;

/** Answers `POST /v1/trace`. */
export async function handleTrace(access: SwitchAccess, call: Call): Promise<Answered> {
  const request = readTraceRequest(call.body, knownPorts(access));
  const unixctl = await access.unixctl('ovs-vswitchd', call.signal);
  const report = await traceFlow(unixctl, request, { signal: call.signal });
  return { reply: call.wantsText ? { kind: 'text', text: report.text } : { kind: 'json', value: report } };
}

function knownPorts(access: SwitchAccess): KnownPorts {
  const { configuration } = access.facts();
  if (configuration === undefined)
    throw new OvsAgentError('unavailable', 'the switch has not been read yet: try again');
  return new Map(
    configuration.bridges.map((bridge) => {
      const devices = bridge.ports.flatMap(({ interfaces }) => interfaces);
      const names = new Set([...devices.map(({ name }) => name), 'LOCAL']);
      const numbers = new Set([...devices.map(({ ofport }) => Number(ofport ?? -1)), LOCAL_PORT]);
      return [bridge.name, { names, numbers }] as const;
    }),
  );
}
