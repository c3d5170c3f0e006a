import { isOver } from '@smalt/failure-detection';
import { segmentOf } from '@smalt/recovery-policy';

import type { SimulatedAgents } from './simulated-agents.ts';
import type { SimulatedHost } from './simulated-host.ts';
import type { Stage } from './stage.ts';

/** What has to be so after everything has worked for a while. */
export function checkEnd(stage: Stage, agents: SimulatedAgents): void {
  checkIncidents(stage);
  checkGuests(stage);
  checkEvents(stage, agents);
  checkStopped(stage);
}

/** Whether everything has come to its end, so that nothing more is to be expected. */
export function isSettled(stage: Stage): boolean {
  const { store, world, nova } = stage;
  if ([...store.incidents.values()].some((incident) => !isOver(incident))) return false;
  return world.hosts.every((host) => host.isBooted || !nova.hasRelevant(host.name) || !isCovered(stage, host));
}

/** Whether the policy has a host recovered at all. */
export function isCovered({ nova, soundSettings }: Stage, { name }: SimulatedHost): boolean {
  const aggregates = [...nova.service(name).aggregates].map((each) => ({ name: each, metadata: undefined }));
  return segmentOf({ name, labels: {}, zone: 'zone-1', aggregates }, soundSettings.policy).kind === 'covered';
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
function checkGuests(stage: Stage): void {
  const { store, story, world, nova, kubernetes } = stage;
  for (const host of world.hosts) {
    if (host.isBooted || kubernetes.object(host.name).maintenance === 'manual') continue;
    if (!isCovered(stage, host)) continue;
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

/** What its owner has put off is off, or somebody was told that it may not be. */
function checkStopped({ nova, world, store, story }: Stage): void {
  const incidents = [...store.incidents.values()];
  for (const { id, isMeantOff } of nova.servers.values()) {
    const [place] = world.guests.get(id)?.places ?? [];
    if (!isMeantOff || place === undefined) continue;
    const isTold = incidents.some(
      ({ state, instances }) =>
        instances.some((each) => each.id === id && (each.putOff?.state === 'given-up' || state === 'closed')) ||
        state === 'failed',
    );
    if (!isTold) story.violate(`${id} was off before its host died, and runs on ${place} now`);
  }
}
