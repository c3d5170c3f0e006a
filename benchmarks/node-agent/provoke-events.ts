import type { Hypervisor } from '@smalt/fleet-api';
import { DomainEventType, type Domain } from '@smalt/libvirt';

import type { AgentWorld } from './agent-world.ts';
import { tunedDomainXml } from './tuned-domain-xml.ts';
import { untilQuiet } from './until-quiet.ts';

const PROBE = 'probe';
const SEEN_TIMEOUT_MS = 60_000;

interface Step {
  readonly event: number;
  act(domain: Domain | undefined): Promise<Domain | undefined | void>;
  readonly isSeen: (isActive: boolean | undefined) => boolean;
}

/**
 * Defines, starts, stops and undefines one domain again and again, each step when the one before has been seen and all
 * is quiet. Gives the milliseconds from the event, as any client gets it, until the Hypervisor shows the change.
 */
export async function provokeEvents(
  world: AgentWorld,
  { nodeName, cycles, isQuiet }: { nodeName: string; cycles: number; isQuiet: () => number },
  signal: AbortSignal,
): Promise<readonly number[]> {
  const samples: number[] = [];
  let domain: Domain | undefined;
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (const step of stepsOf(world)) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(SEEN_TIMEOUT_MS)]);
      const event = world.lifecycle.next(PROBE, step.event);
      domain = (await step.act(domain)) ?? domain;
      const seen = world.watch.until(nodeName, (hypervisor) => step.isSeen(activityOf(hypervisor)), deadline);
      const [eventAt, seenAt] = await Promise.all([event, seen]);
      samples.push(Math.max(0, seenAt - eventAt));
      await untilQuiet(isQuiet, signal);
    }
  }
  return samples;
}

function stepsOf({ libvirt }: AgentWorld): readonly Step[] {
  const xml = tunedDomainXml(PROBE);
  return [
    {
      event: DomainEventType.defined,
      act: () => libvirt.domainDefineXml({ xml }),
      isSeen: (active) => active === false,
    },
    {
      event: DomainEventType.started,
      act: on((domain) => libvirt.domainCreate({ domain })),
      isSeen: (active) => active === true,
    },
    {
      event: DomainEventType.stopped,
      act: on((domain) => libvirt.domainDestroy({ domain })),
      isSeen: (active) => active === false,
    },
    {
      event: DomainEventType.undefined,
      act: on((domain) => libvirt.domainUndefine({ domain })),
      isSeen: (active) => active === undefined,
    },
  ];
}

function on(act: (domain: Domain) => Promise<void>): Step['act'] {
  return async (domain) => {
    if (domain !== undefined) await act(domain);
  };
}

function activityOf({ status }: Hypervisor): boolean | undefined {
  return status?.instances?.find(({ name }) => name === PROBE)?.active;
}
