import { ComputeError } from '@smalt/compute';

import { isAwake } from './simulated-host.ts';
import type { SimulatedNova } from './simulated-nova.ts';
import type { World } from './world.ts';

/** Moves a server that stands still, or is stopped for it, by the hand of its own host. */
export function coldMove(nova: SimulatedNova, world: World, id: string): void {
  const server = nova.server(id);
  const source = world.host(server.host);
  const target = nova.targetsFor(server)[0];
  if (!nova.isUp(nova.service(server.host)) || nova.openEvacuation(id) !== undefined) {
    throw new ComputeError('conflict', `${id} cannot be moved now`);
  }
  if (target === undefined) throw new ComputeError('no-target', `no host has room for ${id}`);
  world.scheduler.after(10_000, () => {
    const goal = world.host(target.host);
    if (!isAwake(source) || !isAwake(goal) || server.host !== source.name) return;
    world.stopGuest(id, source);
    nova.noteChange(source.name, goal.name);
    server.host = goal.name;
    server.status = 'ACTIVE';
    world.startGuest(id, goal);
  });
}
