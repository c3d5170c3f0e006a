import type { PageBlock } from './page-blocks.ts';

/** The stories that follow the pages. */
export type PageStory =
  | 'on a cluster'
  | 'to the next version'
  | 'without Helm'
  | 'away from nodes'
  | 'out of its namespaces'
  | 'from a backup'
  | 'from another operator'
  | 'from KubeVirt';

/** Where commands of a page are tried, or why they are not. */
export interface FollowedBlock {
  readonly page: string;
  /** What only this block of the page has in it. */
  readonly words: string;
  readonly stories: readonly PageStory[];
  /** Why no story has it. */
  readonly nowhere?: string;
}

/** Every block of commands of docs/install. */
export const FOLLOWED_BLOCKS: readonly FollowedBlock[] = [
  {
    page: 'install.md',
    words: 'npm run images',
    stories: [],
    nowhere: 'there is no registry here; tools/images/src/images.slow.test.ts makes images and runs what is in them',
  },
  { page: 'install.md', words: 'helm install smalt', stories: ['on a cluster', 'to the next version'] },
  { page: 'install.md', words: 'kubectl apply --server-side -f deploy/smalt.yaml', stories: ['without Helm'] },
  { page: 'install.md', words: 'npx smalt doctor', stories: ['on a cluster'] },
  { page: 'install.md', words: 'kubectl apply -f first.yaml', stories: ['on a cluster', 'to the next version'] },
  { page: 'install.md', words: 'create token viewer', stories: ['on a cluster'] },
  { page: 'upgrade.md', words: 'kubectl diff', stories: ['to the next version', 'without Helm'] },
  {
    page: 'upgrade.md',
    words: 'skopeo copy',
    stories: [],
    nowhere: 'there is no registry here; tools/images/src/images.slow.test.ts makes images with a tag of their own',
  },
  {
    page: 'upgrade.md',
    words: 'npm run images -- --update',
    stories: [],
    nowhere: 'it asks Debian for newer packages; tools/images/src/debian-lock.test.ts has the tests of the lock',
  },
  {
    page: 'upgrade.md',
    words: 'kubectl get vmirs',
    stories: [],
    nowhere: 'it needs no chart: scenarios/an-upgrade-tells-what-replica-sets-would-take.test.ts runs it',
  },
  { page: 'upgrade.md', words: 'helm upgrade smalt', stories: ['to the next version'] },
  { page: 'upgrade.md', words: 'deploy/smalt.yaml | kubectl apply', stories: ['without Helm'] },
  { page: 'upgrade.md', words: 'controllerrevisions', stories: ['to the next version', 'without Helm'] },
  { page: 'upgrade.md', words: 'kubectl -n smalt-system delete pod', stories: ['to the next version'] },
  { page: 'upgrade.md', words: 'helm rollback smalt', stories: ['to the next version'] },
  { page: 'backup.md', words: 'etcdctl snapshot save', stories: ['from a backup'] },
  {
    page: 'backup.md',
    words: 'npx smalt backup',
    stories: [],
    nowhere: 'it is about our own API server, not about Kubernetes; apps/smalt and apps/apiserver have the tests',
  },
  { page: 'backup.md', words: '--backup-to', stories: ['on a cluster'] },
  { page: 'backup.md', words: 'scale deployment virt-controller', stories: ['on a cluster'] },
  { page: 'backup.md', words: 'for proof in fenced-at', stories: ['on a cluster'] },
  { page: 'uninstall.md', words: 'helm uninstall smalt', stories: ['on a cluster', 'without Helm'] },
  { page: 'uninstall.md', words: 'kubectl annotate namespace', stories: ['out of its namespaces'] },
  { page: 'uninstall.md', words: 'kubectl annotate crd', stories: ['on a cluster'] },
  { page: 'uninstall.md', words: 'xargs -r kubectl', stories: ['on a cluster', 'away from nodes'] },
  { page: 'moving.md', words: 'before.yaml', stories: ['from another operator'] },
  { page: 'moving.md', words: 'map(.type) | to_entries', stories: ['from another operator'] },
  { page: 'moving.md', words: 'create secret generic clouds', stories: ['from another operator'] },
  { page: 'moving.md', words: 'patch daemonset kvm-node-agent', stories: ['from another operator'] },
  { page: 'moving.md', words: 'scale deployment virt-operator --replicas=0', stories: ['from KubeVirt'] },
  { page: 'moving.md', words: 'delete daemonset virt-handler', stories: ['from KubeVirt'] },
  { page: 'moving.md', words: '--take-ownership --force-conflicts', stories: ['from KubeVirt'] },
  { page: 'moving.md', words: 'scale deployment virt-operator --replicas=2', stories: ['from KubeVirt'] },
];

export function isOf({ page, words }: FollowedBlock, block: PageBlock): boolean {
  return block.language === 'sh' && block.page === page && block.text.includes(words);
}
