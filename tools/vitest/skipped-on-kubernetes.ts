/** A test that may be left out of a run on the real API server, and why. */
export interface SkipException {
  readonly file: string;
  /** The title of the test, or of a group that it is in. Without one it is any of the file. */
  readonly title?: string;
  readonly reason: string;
}

/** Never run on the real API server: what they are about is nobody's but ours. */
export const NEVER_ON_KUBERNETES: readonly SkipException[] = [
  {
    file: 'apps/console/src/start-console.test.ts',
    title: 'is passed on with its subprotocol and all of its bytes',
    reason: 'only into ours can a part of the API be put by a test',
  },
  {
    file: 'apps/pod-runner/src/volumes/prepare-volumes.test.ts',
    title: 'makes the volume of a claim where the first pod that wants it goes, and removes it with the claim',
    reason: 'Kubernetes keeps a volume until its binder says that it is free, which a bed without nodes has not',
  },
  {
    file: 'clients/kube/src/api-server.test.ts',
    title: 'follow a collection over a crash of the server, and miss and repeat nothing',
    reason: 'a kube-apiserver that was started anew tells nothing of before',
  },
];

const NO_CERT_MANAGER = 'no cert-manager built in .cache: CONTRIBUTING.md says how';
const NO_FLUENT_BIT = 'no Fluent Bit on this machine: CONTRIBUTING.md says where it is looked for';
const NO_OPENSTACK = 'no OpenStack on this machine: its packages are listed for Debian 12';
const ONE_PROCESSOR = 'a machine with one processor has none to give away';

/** Left out where a machine has not what they need, which a run does not bring along. */
export const ONLY_WHERE_THERE: readonly SkipException[] = [
  { file: 'apps/hypervisor-operator/src/certificate/cert-manager.slow.test.ts', reason: NO_CERT_MANAGER },
  { file: 'apps/pod-runner/src/processors/own-processors.slow.test.ts', reason: ONE_PROCESSOR },
  {
    file: 'apps/virt-handler/src/sync/dedicated-processors.slow.test.ts',
    title: 'keeps what the emulator does off the processor of the guest',
    reason: ONE_PROCESSOR,
  },
  {
    file: 'apps/virt-handler/src/sync/dedicated-processors.slow.test.ts',
    title: 'puts several processors of a guest on several of its pod',
    reason: ONE_PROCESSOR,
  },
  {
    file: 'scenarios/a-fleet-moves-from-another-operator-and-back.slow.test.ts',
    reason: 'no checkouts of the others in .cache: CONTRIBUTING.md says how they come there',
  },
  { file: 'scenarios/a-host-loses-power-and-its-guests-live-on.slow.test.ts', reason: NO_OPENSTACK },
  { file: 'scenarios/a-hypervisor-lives-and-leaves.test.ts', reason: NO_OPENSTACK },
  { file: 'scenarios/a-virtual-machine-has-processors-of-its-own.slow.test.ts', reason: ONE_PROCESSOR },
  {
    file: 'tools/chart/chart-in-a-cluster.slow.test.ts',
    title: 'has a collector on each node, from which comes what pods and libvirt write there',
    reason: NO_FLUENT_BIT,
  },
  { file: 'tools/chart/chart-with-cert-manager.slow.test.ts', reason: NO_CERT_MANAGER },
  {
    file: 'tools/chart/logs-collector.slow.test.ts',
    title: 'are those of units that were named, after a restart too',
    reason: 'no systemd-journal-remote, or no Fluent Bit: CONTRIBUTING.md says where they are looked for',
  },
  { file: 'tools/chart/logs-collector.slow.test.ts', reason: NO_FLUENT_BIT },
];
