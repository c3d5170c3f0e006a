import { bedHelp, parseBedCommand } from './bed-command.ts';
import { buildPrograms } from './build/build-programs.ts';
import { isBedKubernetesError } from './error.ts';
import { findCluster, missingPrograms, type ClusterPrograms } from './kubernetes-programs.ts';
import { startCluster } from './start-cluster.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(`stopped by ${name}`));

async function main(words: readonly string[], signal: AbortSignal): Promise<void> {
  const command = parseBedCommand(words);
  switch (command) {
    case 'help':
      return console.log(bedHelp());
    case 'check':
      return check();
    case 'build':
      if ((await build(signal)) !== undefined) console.log('All is there. npm run bed:kubernetes starts a cluster.');
      return;
    case 'start': {
      const programs = await build(signal);
      if (programs !== undefined) await run(programs, signal);
    }
  }
}

function check(): void {
  const missing = missingPrograms();
  for (const path of missing) console.log(`${path} is missing`);
  process.exitCode = missing.length > 0 ? 1 : 0;
}

/** Builds what is missing; what is not ours to build is named. */
async function build(signal: AbortSignal): Promise<ClusterPrograms | undefined> {
  await buildPrograms({ environment: process.env, tell: (text) => console.log(text), signal });
  const programs = findCluster();
  if (programs !== undefined) return programs;
  const packages = 'etcd-server runc containernetworking-plugins nftables';
  console.log(`Debian's programs are missing: apt-get install --no-install-recommends ${packages}`);
  process.exitCode = 1;
  return undefined;
}

/** A cluster, until the signal fires. */
async function run(programs: ClusterPrograms, signal: AbortSignal): Promise<void> {
  console.log('All is there. A cluster is started …');
  const beganAt = performance.now();
  await using cluster = await startCluster(programs, signal);
  console.log(`ready after ${Math.round((performance.now() - beganAt) / 1000)} s; Ctrl-C ends it, and leaves nothing`);
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

try {
  await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  const isOurs = isBedKubernetesError(error) && !stopping.signal.aborted;
  console.error(isOurs ? error.message : (stopping.signal.reason ?? error));
  process.exitCode = isOurs && error.code === 'invalid-option' ? 2 : 1;
}
