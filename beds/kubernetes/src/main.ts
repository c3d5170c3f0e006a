import { buildPrograms } from './build/build-programs.ts';
import { isBedKubernetesError } from './error.ts';
import { findCluster, missingPrograms } from './kubernetes-programs.ts';
import { startCluster } from './start-cluster.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(`stopped by ${name}`));

async function main(signal: AbortSignal): Promise<void> {
  if (process.argv.includes('--check')) {
    const missing = missingPrograms();
    for (const path of missing) console.log(`${path} is missing`);
    process.exitCode = missing.length > 0 ? 1 : 0;
    return;
  }
  await buildPrograms({ environment: process.env, tell: (text) => console.log(text), signal });
  const programs = findCluster();
  if (programs === undefined) {
    const packages = 'etcd-server runc containernetworking-plugins nftables';
    console.log(`Debian's programs are missing: apt-get install --no-install-recommends ${packages}`);
    process.exitCode = 1;
    return;
  }
  if (!process.argv.includes('--run')) return console.log('All is there. Add -- --run to start a cluster.');
  const beganAt = performance.now();
  await using cluster = await startCluster(programs, signal);
  console.log(`ready after ${Math.round((performance.now() - beganAt) / 1000)} s; Ctrl-C ends it, and leaves nothing`);
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

try {
  await main(stopping.signal);
} catch (error) {
  const isOurs = isBedKubernetesError(error) && !stopping.signal.aborted;
  console.error(isOurs ? error.message : (stopping.signal.reason ?? error));
  process.exitCode = 1;
}
