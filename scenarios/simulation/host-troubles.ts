import { hostPath, hostPaths, servicePath, servicePaths, type HostPath, type ServicePath } from './network.ts';
import type { SimulatedAgents } from './simulated-agents.ts';
import { canBeFooled, isAwake, type SimulatedHost } from './simulated-host.ts';
import type { Stage } from './stage.ts';

/** What befalls one host. */
export type HostTrouble = BreakTrouble | CutTrouble | ProgramTrouble;
type BreakTrouble = 'power-loss' | 'panic' | 'reboot' | 'freeze' | 'kdump';
type CutTrouble = 'isolation' | 'cut' | 'flapping';
type ProgramTrouble = 'agent-gone' | 'compute-gone';

/** Something happens to one host, whichever it is. */
export function troubleHost(kind: HostTrouble, stage: Stage): void {
  const { world, dice } = stage;
  const awake = world.hosts.filter((host) => isAwake(host));
  if (awake.length === 0) return;
  const host = dice.pick(awake);
  const forMs = dice.between(60, 420) * 1000;
  switch (kind) {
    case 'power-loss':
    case 'panic':
    case 'reboot':
    case 'freeze':
    case 'kdump':
      return breakHost(kind, stage, host, forMs);
    case 'isolation':
      return cutPaths(
        stage,
        host,
        spared(host, hostPaths).filter((path) => path !== 'bmc'),
        forMs,
      );
    case 'cut':
      return cutPaths(stage, host, spared(host, dice.some(hostPaths, 0.5)), forMs);
    case 'flapping':
      return flap(stage, host, dice.between(3, 8));
    case 'agent-gone':
    case 'compute-gone':
      return endProgram(kind, stage, host, forMs);
  }
}

function breakHost(kind: BreakTrouble, stage: Stage, host: SimulatedHost, forMs: number): void {
  const { world, scheduler, dice } = stage;
  switch (kind) {
    case 'power-loss':
      return loseMains(stage, host);
    case 'panic':
      return world.panic(host);
    case 'reboot':
      world.panic(host);
      scheduler.after(dice.between(30, 400) * 1000, () => world.boot(host));
      return;
    case 'freeze':
      // A host whose power is told wrong and that writes nothing looks dead to all: the limit that is documented.
      if (canBeFooled(host)) return;
      world.freeze(host);
      return stage.trouble(`${host.name} is frozen`, forMs, () => world.thaw(host));
    case 'kdump':
      return dumpKernel(stage, host, forMs);
  }
}

/** A host panics and writes a dump, of which others hear; then it boots, or stays as it is. */
function dumpKernel(stage: Stage, host: SimulatedHost, forMs: number): void {
  const { world, scheduler, dice, kdumps } = stage;
  world.panic(host);
  scheduler.after(dice.between(1, 10) * 1000, () => {
    if (host.isBooted || !host.isPowered) return;
    kdumps.set(host.name, { since: scheduler.now, until: scheduler.now + forMs });
    stage.trouble(`${host.name} writes a kernel dump`, forMs, () => {
      kdumps.delete(host.name);
      if (dice.chance(0.5)) world.boot(host);
    });
  });
}

function endProgram(kind: ProgramTrouble, stage: Stage, host: SimulatedHost, forMs: number): void {
  if (kind === 'agent-gone') {
    host.isAgentRunning = false;
    stage.trouble(`the agent of ${host.name} is gone`, forMs, () => {
      host.isAgentRunning = true;
    });
    return;
  }
  host.isComputeRunning = false;
  stage.trouble(`the compute service of ${host.name} is gone`, forMs, () => {
    if (host.isComputeRunning || !host.isBooted) return;
    host.isComputeRunning = true;
    stage.nova.computeStarted(host);
  });
}

/** Storage is the only one that sees through power that is told wrong, so it is not taken away from such a host. */
function spared(host: SimulatedHost, paths: readonly HostPath[]): readonly HostPath[] {
  return paths.filter((path) => path !== 'storage' || !canBeFooled(host));
}

/** Takes the mains away until somebody repairs them. */
export function loseMains(stage: Stage, host: SimulatedHost): void {
  host.hasMains = false;
  stage.world.powerOff(host, 'its mains are gone');
}

function cutPaths(stage: Stage, host: SimulatedHost, paths: readonly HostPath[], forMs: number): void {
  const { network } = stage.world;
  const keys = paths.map((path) => hostPath(host.name, path));
  for (const key of keys) network.cut(key);
  stage.trouble(`${host.name} is cut from ${paths.join(', ') || 'nothing'}`, forMs, () => {
    for (const key of keys) network.heal(key);
  });
}

function flap(stage: Stage, host: SimulatedHost, times: number): void {
  if (stage.isCalm) return;
  const paths = spared(host, stage.dice.some(hostPaths, 0.6));
  const forMs = stage.dice.between(20, 200) * 1000;
  cutPaths(stage, host, paths, forMs);
  if (times > 1) stage.scheduler.after(forMs + stage.dice.between(5, 90) * 1000, () => flap(stage, host, times - 1));
}

/** Something happens to many at once. */
export function troubleMany(kind: 'rack' | 'site' | 'service-cut', stage: Stage): void {
  const { world, dice } = stage;
  if (kind === 'service-cut') {
    cutService(stage);
    return;
  }
  const rack = dice.pick(world.hosts).rack;
  const hosts = world.hosts.filter((host) => kind === 'site' || host.rack === rack);
  const isPower = dice.chance(0.4);
  const forMs = dice.between(60, 400) * 1000;
  for (const host of hosts) {
    if (isPower) loseMains(stage, host);
    else cutPaths(stage, host, spared(host, hostPaths), forMs);
  }
}

/** The switch of one replica, or of all: whatever shape, nothing of what they cannot see is death. */
function cutService(stage: Stage): void {
  const { dice, world, replicas } = stage;
  const paths: readonly ServicePath[] = dice.chance(0.4) ? servicePaths : dice.some(servicePaths, 0.4);
  const touched = dice.chance(0.6) ? replicas : [dice.pick(replicas)];
  const keys = touched.flatMap(({ name }) => paths.map((path) => servicePath(name, path)));
  for (const key of keys) world.network.cut(key);
  stage.trouble(
    `${touched.map(({ name }) => name).join(', ')} cannot reach ${paths.join(', ')}`,
    dice.between(20, 300) * 1000,
    () => {
      for (const key of keys) world.network.heal(key);
    },
  );
}

/** A guest ends by itself, and the agent of its host tells so. */
export function crashGuest(stage: Stage, agents: SimulatedAgents): void {
  const { world, nova, dice } = stage;
  const able = [...nova.servers.values()].filter((server) => {
    const host = world.host(server.host);
    return server.status === 'ACTIVE' && isAwake(host) && world.guests.get(server.id)?.places.has(host.name) === true;
  });
  if (able.length === 0) return;
  const server = dice.pick(able);
  const host = world.host(server.host);
  stage.story.tell(`${server.id} crashes on ${host.name}`);
  world.stopGuest(server.id, host);
  // Nova looks only now and then.
  stage.scheduler.after(dice.between(300, 600) * 1000, () => {
    const isHere = world.guests.get(server.id)?.places.has(server.host) === true;
    if (server.status === 'ACTIVE' && server.host === host.name && isAwake(host) && !isHere) nova.findOff(server);
  });
  const domain = { uuid: server.id, name: server.id };
  agents.see(host, { kind: 'lifecycle', domain, event: 'crashed', detail: 'panicked' });
}
