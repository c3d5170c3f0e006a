import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const FOLDERS = ['clients', 'runtime', 'adapters', 'apps', 'beds/kubernetes', 'scenarios', 'tools/chart'];
/** Whoever calls one of these is on the real API server when the run is, or always. */
const SERVERS = ['startTestApiServer', 'startRealApiServer', 'startKubernetes', 'startCluster'];
/** And these look for programs that no other run provides: elsewhere their tests are left out. */
const PROGRAMS = ['findHelm', 'hasPromtool'];
const SWITCH = new RegExp(`\\b(?:${[...SERVERS, ...PROGRAMS].join('|')})\\(`);
const RELATIVE_IMPORT = /(?:from|import) '(?<path>\.{1,2}\/[^']+\.tsx?)'/g;

/** A test with an API server in it that is not run on the real one, and why. */
export interface KubernetesException {
  readonly file: string;
  readonly reason: string;
}

/** What `npm run test:kubernetes` leaves out of the tests that would run on the real API server. */
export const NOT_ON_KUBERNETES: readonly KubernetesException[] = [];

const LIBVIRT_ALONE = 'it is about libvirt alone; there is no API server in it';
const HA_AGENT_ALONE = 'it is about the HA agent and whom it tells; there is no API server in it';

/** The scenarios that have nothing to do with an API server, or with nobody's but ours, and why. */
export const SCENARIOS_ON_OURS: readonly KubernetesException[] = [
  { file: 'scenarios/a-client-moves-a-guest-between-hosts-that-cannot-talk.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-console-goes-both-ways.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-cut-network-fails-a-migration-and-the-guest-stays.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-guest-tells-what-happens-inside-it.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-host-tells-what-is-defined-on-it.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-machine-tells-what-happens-to-it.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-running-guest-moves-to-another-host.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-session-outlives-its-daemon.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/a-silent-network-is-noticed.test.ts', reason: LIBVIRT_ALONE },
  {
    file: 'scenarios/an-answer-is-that-of-kubernetes.test.ts',
    reason:
      'it compares the answers of ours with those that were recorded; the-recorded-answers-are-still-those-of-kubernetes.slow.test.ts compares the real one',
  },
  {
    file: 'scenarios/an-api-server-that-was-put-back-is-heard.test.ts',
    reason: 'it is about the storage of ours; that of Kubernetes is etcd',
  },
  {
    file: 'scenarios/the-api-server-survives-a-full-disk.test.ts',
    reason: 'it is about the storage of ours; that of Kubernetes is etcd',
  },
  {
    file: 'scenarios/the-api-server-survives-kill-9.test.ts',
    reason: 'it is about the storage of ours; that of Kubernetes is etcd',
  },
  { file: 'scenarios/the-examples-of-the-client-run-on-real-hosts.test.ts', reason: LIBVIRT_ALONE },
  { file: 'scenarios/the-ha-agent-loses-nothing-while-its-service-is-away.test.ts', reason: HA_AGENT_ALONE },
  { file: 'scenarios/the-ha-agent-shows-which-node-it-is-on.test.ts', reason: HA_AGENT_ALONE },
  { file: 'scenarios/the-ha-agent-survives-a-full-disk.test.ts', reason: HA_AGENT_ALONE },
  { file: 'scenarios/the-ha-agent-tells-everything.test.ts', reason: HA_AGENT_ALONE },
  {
    file: 'scenarios/the-metrics-of-a-host.test.ts',
    reason: 'the agent has no API server in it: its metrics are those of libvirt',
  },
];

/**
 * The tests that run on the real API server, slow ones too: those whose bed starts the server of the run, and those
 * whose programs come with it, such as the renders of the chart.
 */
export function kubernetesFiles(root: string): readonly string[] {
  const left = new Set(NOT_ON_KUBERNETES.map(({ file }) => file));
  const tests = FOLDERS.flatMap((folder) => testsIn(root, folder));
  const known = new Map<string, boolean>();
  return tests.filter((file) => !left.has(file) && isOnSwitch(resolve(root, file), known)).toSorted();
}

function testsIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Whether a file, or one that it imports by a path, wants what this run alone has. */
function isOnSwitch(path: string, known: Map<string, boolean>): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  // For those that import each other in a circle.
  known.set(path, false);
  const text = readFileSync(path, 'utf8');
  const answer = SWITCH.test(text) || importsOf(path, text).some((each) => isOnSwitch(each, known));
  known.set(path, answer);
  return answer;
}

function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(RELATIVE_IMPORT)]
    .map(({ groups }) => resolve(dirname(path), groups?.['path'] ?? ''))
    .filter((each) => existsSync(each));
}
