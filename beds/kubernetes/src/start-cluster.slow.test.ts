import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, it } from 'vitest';

import { importBusybox } from './fixtures/import-busybox.ts';
import { kubectl } from './fixtures/kubectl.ts';
import { story } from './fixtures/story.ts';
import { findCluster } from './kubernetes-programs.ts';
import { startCluster, type Cluster } from './start-cluster.ts';

const programs = findCluster();
const timeout = 300_000;
const SERVICE_ADDRESS = 'jsonpath={.spec.clusterIP}';

describe.skipIf(programs === undefined)('a cluster (npm run bed:kubernetes -- --build)', () => {
  it('runs pods that find each other by name, on every node, until their namespace goes', { timeout }, async () => {
    const settings = await machineSettings();
    await using cluster = await start();
    await importBusybox(cluster);

    await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(story()));
    await kubectl(cluster, ['wait', '--for=condition=Ready', 'pod/web', '--timeout=120s']);
    await kubectl(cluster, ['rollout', 'status', 'deployment/asker', 'daemonset/everywhere', '--timeout=120s']);
    const address = await kubectl(cluster, ['get', 'service', 'web', '-o', SERVICE_ADDRESS]);
    const exec = ['exec', 'deployment/asker', '--', 'busybox'];

    expect(await kubectl(cluster, [...exec, 'wget', '-qO-', `http://${address}/`])).toBe('hello of web\n');
    expect(await kubectl(cluster, [...exec, 'wget', '-qO-', 'http://web.story/'])).toBe('hello of web\n');
    expect(await kubectl(cluster, [...exec, 'nslookup', 'web.story.svc.cluster.local'])).toContain(address);
    expect(await kubectl(cluster, ['logs', 'web'])).toBe('web begins\n');
    const everywhere = await kubectl(cluster, ['get', 'pods', '-l', 'app=everywhere', '-o', 'name']);
    for (const pod of everywhere.trim().split('\n')) {
      const heard = await kubectl(cluster, ['exec', pod, '--', 'busybox', 'wget', '-qO-', 'http://web.story/']);
      expect({ pod, heard }).toEqual({ pod, heard: 'hello of web\n' });
    }
    expect(everywhere.trim().split('\n')).toHaveLength(cluster.nodes.length);
    expect(await machineSettings()).toEqual(settings);

    await kubectl(cluster, ['delete', 'namespace', 'story', '--timeout=120s']);

    expect(await kubectl(cluster, ['get', 'pods', '-A', '-o', 'name'])).toMatch(/^pod\/coredns-[^\n]*\n$/);
    // That of DNS, and the one that holds its namespaces.
    await expect.poll(() => runningContainers(cluster), { timeout: 60_000 }).toBe(2);
  });

  it('has an API server that comes back, and nodes that reach Services and lose their power', { timeout }, async () => {
    await using cluster = await start();
    const [first, second] = cluster.nodes;
    await cluster.kill();
    await cluster.restart(AbortSignal.timeout(timeout));

    const address = await kubectl(cluster, ['get', 'service', 'kubernetes', '-n', 'default', '-o', SERVICE_ADDRESS]);
    const asked = ['busybox', 'nc', '-w', '10', address, '443'] as const;
    const reached = await Promise.all(
      cluster.nodes.map((node) =>
        node.run(asked).then(
          () => true,
          () => false,
        ),
      ),
    );
    await second?.crash();

    expect(reached).toEqual([true, true]);
    expect(second?.daemons.get('kubelet')?.isRunning).toBe(false);
    expect(first.daemons.get('kubelet')?.isRunning).toBe(true);
    expect(await kubectl(cluster, ['get', 'nodes', '-o', 'name'])).toBe('node/node1\nnode/node2\n');
  });

  it('leaves nothing of a cluster whose owner is killed', { timeout }, async () => {
    const owner = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-cluster.ts`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(owner, 'close');
    const [line] = await once(createInterface({ input: owner.stdout }), 'line');
    const [, pid = '', directory = ''] = String(line).split(' ');
    const namespaces = await namespacesOf(pid);
    const before = await remains(directory, namespaces);

    owner.kill('SIGKILL');
    await closed;

    // The node's own daemons and those of a pod, and the control plane beside them.
    expect(before.processes).toBeGreaterThanOrEqual(10);
    expect(before.cgroups).toBeGreaterThanOrEqual(1);
    const none = { processes: 0, cgroups: 0, mounts: 0 };
    await expect.poll(() => remains(directory, namespaces), { timeout: 60_000 }).toEqual(none);
  });
});

async function start(): Promise<Cluster> {
  if (programs === undefined) throw new Error('there is no Kubernetes');
  return await startCluster(programs, AbortSignal.timeout(timeout), { nodes: 2, isDurable: false });
}

async function runningContainers(cluster: Cluster): Promise<number> {
  const counts = cluster.nodes.map(async (node) => {
    const listed = await node.run(['/opt/bed/bin/ctr', '-n', 'k8s.io', 'tasks', 'list', '--quiet']);
    return listed.split('\n').filter((line) => line !== '').length;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function namespacesOf(pid: string): Promise<readonly string[]> {
  return await Promise.all(['pid', 'net'].map((kind) => readlink(`/proc/${pid}/ns/${kind}`)));
}

/** What there is of a cluster: processes in its namespaces, its cgroups, and its mounts that this machine sees. */
async function remains(directory: string, namespaces: readonly string[]) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Processes come and go while we look.
  const seen = await Promise.all(pids.map((pid) => namespacesOf(pid).catch(() => [])));
  const processes = seen.filter((each) => each.some((one) => namespaces.includes(one))).length;
  const trees = await Promise.all(
    ['', ...(await readdir('/sys/fs/cgroup'))].map((tree) => readdir(join('/sys/fs/cgroup', tree)).catch(() => [])),
  );
  const cgroups = trees.flat().filter((name) => name.includes(basename(directory))).length;
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8'))
    .split('\n')
    .filter((line) => line.includes(directory));
  return { processes, cgroups, mounts: mounts.length };
}

/** What a kubelet and kube-proxy would set for the whole machine. */
async function machineSettings(): Promise<readonly string[]> {
  const names = ['vm/overcommit_memory', 'kernel/panic', 'kernel/panic_on_oops', 'net/netfilter/nf_conntrack_max'];
  return await Promise.all(names.map((name) => readFile(`/proc/sys/${name}`, 'utf8')));
}
