import type { ActingReplica } from './acting-replica.ts';
import type { Stage } from './stage.ts';

/** What befalls the servers that the service goes by. */
export type ServerTrouble =
  | 'kubernetes-down'
  | 'nova-down'
  | 'nova-slow'
  | 'store-down'
  | 'store-slow'
  | 'nova-cell'
  | 'store-clock';

/** One of the servers is away, slow, or has another clock. */
export function troubleServers(kind: ServerTrouble, stage: Stage): void {
  const { kubernetes, nova, storeServer, dice } = stage;
  const forMs = dice.between(10, 240) * 1000;
  switch (kind) {
    case 'kubernetes-down':
      kubernetes.isDown = true;
      return stage.trouble('the API server is down', forMs, () => {
        kubernetes.isDown = false;
      });
    case 'nova-down':
      nova.isDown = true;
      return stage.trouble('the compute API is down', forMs, () => {
        nova.isDown = false;
      });
    case 'nova-slow':
      nova.listDelayMs = 12_000;
      return stage.trouble('the compute API is slow', forMs, () => {
        nova.listDelayMs = 800;
      });
    case 'store-down':
      storeServer.isDown = true;
      return stage.trouble('the store is down', forMs, () => {
        storeServer.isDown = false;
      });
    case 'store-slow':
      storeServer.delayMs = 4_000;
      return stage.trouble('the store is slow', forMs, () => {
        storeServer.delayMs = 40;
      });
    case 'nova-cell':
      return loseCell(stage, forMs);
    case 'store-clock':
      return setStoreClock(stage);
  }
}

/** The cell of a rack is away: Nova answers, and knows nothing of these hosts. */
function loseCell(stage: Stage, forMs: number): void {
  const { world, nova, dice } = stage;
  const { rack } = dice.pick(world.hosts);
  const names = world.hosts.filter((host) => host.rack === rack).map(({ name }) => name);
  for (const name of names) nova.awayHosts.add(name);
  stage.trouble(`the cell of ${names.join(', ')} is away`, forMs, () => {
    for (const name of names) nova.findHost(name);
  });
}

/** Somebody sets the clock of the store's server: what it has noted is then older or younger than it was. */
function setStoreClock(stage: Stage): void {
  const { storeServer, dice, scheduler, story } = stage;
  const stepMs = dice.between(-600, 600) * 1000;
  story.tell(`the clock of the store is set by ${stepMs} ms`);
  storeServer.clockOffsetMs += stepMs;
  storeServer.hasJumped = true;
  storeServer.youngUntil = Math.max(storeServer.youngUntil, scheduler.now + Math.abs(stepMs));
}

/** What befalls the service itself. */
export type ServiceTrouble = 'kill' | 'kill-at-call' | 'stall' | 'all-down' | 'stale-watch' | 'wall-clock';

/** The leader is killed, stands still, or is led astray by its own watch or clock. */
export function troubleService(kind: ServiceTrouble, stage: Stage): void {
  const { dice, replicas, scheduler } = stage;
  const leader = replicas.find(({ isLeading }) => isLeading) ?? dice.pick(replicas);
  const downMs = dice.between(2, 120) * 1000;
  // The wall clock of a machine may be anything when it starts again.
  const clockErrorMs = dice.chance(0.3) ? dice.between(-7_200, 7_200) * 1000 : leader.clockErrorMs;
  switch (kind) {
    case 'kill':
      leader.clockErrorMs = clockErrorMs;
      return leader.kill('by chance', downMs);
    case 'kill-at-call':
      return dice.chance(0.5)
        ? doom(stage, downMs)
        : scheduler.at(nextQuarrel(stage), () => doom(stage, downMs)) && undefined;
    case 'stall':
      // Often just as long as it takes others to take over.
      return leader.stall((dice.chance(0.5) ? dice.between(14, 40) : dice.between(5, 240)) * 1000);
    case 'all-down':
      for (const replica of replicas) {
        replica.clockErrorMs = dice.chance(0.5) ? dice.between(-7_200, 7_200) * 1000 : replica.clockErrorMs;
        replica.kill('all are', downMs);
      }
      return;
    case 'stale-watch':
      return hangWatch(stage, leader);
    case 'wall-clock':
      return leader.setWallClock(dice.between(-7_200, 7_200) * 1000);
  }
}

/** The watch of a replica hangs: nothing changes on it, and nothing says that it is broken. */
function hangWatch(stage: Stage, replica: ActingReplica): void {
  const { watch } = replica;
  if (watch === undefined) return;
  watch.isStale = true;
  stage.trouble(`the watch of ${replica.name} hangs`, stage.dice.between(20, 240) * 1000, () => {
    watch.isStale = false;
  });
}

function nextQuarrel(stage: Stage): number {
  return stage.scheduler.now + stage.dice.between(60, 240) * 1000;
}

/** Kills the leader within its next calls: at an await that only luck would find. */
function doom(stage: Stage, downMs: number): void {
  const leader = stage.replicas.find(({ isLeading }) => isLeading);
  const when = stage.dice.chance(0.5) ? 'before' : 'after';
  leader?.process?.doom(stage.dice.between(1, 40), when, () => leader.kill(`${when} a call`, downMs));
}
