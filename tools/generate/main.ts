// Runs every generator of the tree; with --check they write nothing and complain about what is stale.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const generators = [
  'clients/libvirt/generate/main.ts',
  'domain/kubernetes-api/generate/main.ts',
  'domain/fleet-api/generate/main.ts',
  'domain/ovs-api/generate/main.ts',
  'domain/vm-api/generate/main.ts',
  'domain/hypervisor-lifecycle/generate/main.ts',
  'apps/smalt/generate/main.ts',
  'tools/chart/main.ts',
];

for (const generator of generators) {
  const { status } = spawnSync(process.execPath, [generator, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
