import { isOver } from '@smalt/failure-detection';

import type { SimulatedAgents } from './simulated-agents.ts';
import type { Stage } from './stage.ts';

/** What has to be so after everything has worked for a while. */
export function checkEnd(stage: Stage, agents: SimulatedAgents): void {
  checkIncidents(stage);
  checkGuests(stage);
  checkEvents(stage, agents);
}

/** Whether everything has come to its end, so that nothing more is to be expected. */
export function isSettled({ store, world, nova }: Stage): boolean {
  if ([...store.incidents.values()].some((incident) => !isOver(incident))) return false;
  return world.hosts.every(
    (host) => host.isBooted || [...nova.servers.values()].every((server) => server.host !== host.name),
  );
}

/** Every incident has ended, or says why it waits; and one that needs nobody does not wait for ever. */
function checkIncidents({ store, story, world }: Stage): void {
  for (const incident of store.incidents.values()) {
    if (isOver(incident)) continue;
    const { id, host, state, wait } = incident;
    if (wait === undefined) story.violate(`${id} of ${host} is ${state} and does not say why`);
    else if (!wait.needsPerson) {
      const truth = world.host(host).isBooted ? 'is up' : 'is dead';
      story.violate(
        `${id} of ${host}, which ${truth}, still waits though nothing is wrong: ${wait.reason}: ${wait.message}`,
      );
    }
  }
}

/** A host that is dead has been recovered: its machines run elsewhere, or somebody was told why they do not. */
function checkGuests({ store, story, world, nova, kubernetes }: Stage): void {
  for (const host of world.hosts) {
    if (host.isBooted || kubernetes.object(host.name).maintenance === 'manual') continue;
    const incidents = [...store.incidents.values()].filter((each) => each.host === host.name);
    const left = [...nova.servers.values()].filter(
      (server) => server.host === host.name && server.metadata['HA_Enabled'] !== 'false',
    );
    const isTold = incidents.some(({ state, wait }) => state === 'failed' || state === 'closed' || wait?.needsPerson);
    if (left.length > 0 && !isTold) {
      story.violate(`${host.name} is dead and ${left.map(({ id }) => id).join(', ')} were not recovered`);
    }
  }
}

/** What was acknowledged is there. What was stored and not acknowledged comes once more and is known by its number. */
function checkEvents({ store, story }: Stage, agents: SimulatedAgents): void {
  if (store.signals.eventCount < agents.acknowledgedEvents) {
    story.violate(`${agents.acknowledgedEvents} events were acknowledged, ${store.signals.eventCount} are stored`);
  }
}
