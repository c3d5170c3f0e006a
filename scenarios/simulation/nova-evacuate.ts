import { ComputeError } from '@smalt/compute';

import { isAwake } from './simulated-host.ts';
import type { NovaEvacuation, NovaServer, SimulatedNova } from './simulated-nova.ts';
import type { World } from './world.ts';

/**
 * Takes the request for an evacuation as Nova does: it asks whether the service is down and nothing else. A second one
 * for the same server is taken too, and wrecks it.
 */
export function evacuate(nova: SimulatedNova, world: World, serverId: string, target: string | undefined): void {
  const server = nova.server(serverId);
  if (nova.isUp(nova.service(server.host))) {
    throw new ComputeError('conflict', `the compute service of ${server.host} is still in use`);
  }
  const open = nova.openEvacuation(serverId);
  const evacuation: NovaEvacuation = {
    id: `e${nova.evacuations.length + 1}`,
    serverId,
    source: server.host,
    startedAt: world.scheduler.now,
    target: undefined,
    status: 'accepted',
    endedAt: undefined,
  };
  nova.evacuations.push(evacuation);
  world.story.tell(`nova: evacuation ${evacuation.id} of ${serverId} away from ${server.host} is accepted`);
  if (open !== undefined) {
    world.story.violate(`${serverId} is evacuated a second time while ${open.id} is open`);
    nova.fail(open, 'failed', 'another evacuation was accepted meanwhile');
    return;
  }
  // Over a failed evacuation Nova forgets that a server was off: from ERROR it comes up running.
  server.wasRunning = server.status !== 'SHUTOFF';
  world.scheduler.after(world.dice.between(500, 4_000), () => schedule(nova, world, evacuation, target));
}

function schedule(nova: SimulatedNova, world: World, evacuation: NovaEvacuation, wanted: string | undefined): void {
  if (evacuation.status !== 'accepted' || !nova.servers.has(evacuation.serverId)) return;
  const server = nova.server(evacuation.serverId);
  const able = nova.targetsFor(server);
  const target = wanted === undefined ? able[0] : able.find(({ host }) => host === wanted);
  if (target === undefined) {
    nova.fail(evacuation, 'error', 'No valid host was found');
    return;
  }
  evacuation.target = target.host;
  evacuation.status = 'pre-migrating';
  server.status = 'REBUILD';
  world.scheduler.after(world.dice.between(4_000, 40_000), () => finish(nova, world, evacuation, server));
}

function finish(nova: SimulatedNova, world: World, evacuation: NovaEvacuation, server: NovaServer): void {
  if (evacuation.status !== 'pre-migrating' || evacuation.target === undefined) return;
  const target = world.host(evacuation.target);
  if (target.isFrozen) {
    world.scheduler.after(10_000, () => finish(nova, world, evacuation, server));
    return;
  }
  // Its record stays as it is until the target's compute service comes back.
  if (!isAwake(target) || !target.isComputeRunning) return;
  if (world.dice.chance(server.isMeantOff ? 0.15 : 0.02)) {
    nova.fail(evacuation, 'failed', 'the rebuild failed on its target');
    return;
  }
  server.status = server.wasRunning ? 'ACTIVE' : 'SHUTOFF';
  server.fault = undefined;
  if (server.wasRunning) world.startGuest(server.id, target);
  // The server looks as if it were done while it is still noted on the dead host, and its record is open.
  world.scheduler.after(world.dice.between(100, 3_000), () => {
    if (evacuation.status !== 'pre-migrating') return;
    nova.noteChange(server.host, target.name);
    server.host = target.name;
    evacuation.status = 'done';
    evacuation.endedAt = world.scheduler.now;
    world.story.tell(`nova: ${server.id} is on ${target.name}, evacuation ${evacuation.id} is done`);
  });
}
