/** A test file that is run to see what accounts do, and on which API servers. */
export interface Story {
  readonly file: string;
  /** Ours alone where the real one has no use for the part, such as our scheduler; both, if not given. */
  readonly on?: 'ours' | 'kubernetes';
}

/** The lives of components that between them do everything that components do. Each runs its component under the component's own account. */
export const STORIES: readonly Story[] = [
  { file: 'apps/virt-controller/src/permissions.test.ts' },
  { file: 'apps/hypervisor-operator/src/permissions.test.ts' },
  { file: 'apps/ha-service/src/permissions.test.ts' },
  { file: 'apps/ha-service/src/cluster/open-cluster.test.ts', on: 'ours' },
  { file: 'apps/ha-service/src/power/ironcore-controller.test.ts', on: 'ours' },
  { file: 'apps/ovs-agent/src/permissions.test.ts' },
  { file: 'adapters/vm-compute/src/permissions.test.ts', on: 'ours' },
  // It starts the API server anew, as the story of the migration does: the real one refuses everybody until it has read its roles.
  { file: 'apps/node-agent/src/start-node-agent.test.ts', on: 'ours' },
  { file: 'apps/node-agent/src/one-agent-per-node.test.ts', on: 'kubernetes' },
  { file: 'apps/node-agent/src/agent-with-systemd.test.ts', on: 'kubernetes' },
  { file: 'apps/node-agent/src/reboot/reboot-part.test.ts', on: 'ours' },
  { file: 'apps/node-agent/src/certificates/certificates-part.test.ts', on: 'ours' },
  { file: 'apps/smalt/src/up/up.test.ts', on: 'ours' },
  { file: 'apps/smalt/src/certificates-command.test.ts', on: 'ours' },
  { file: 'apps/console/src/session/shared-signed-out.test.ts', on: 'ours' },
  { file: 'apps/scheduler/src/scheduler.test.ts' },
  { file: 'apps/scheduler/src/local-claims.test.ts', on: 'ours' },
  { file: 'apps/pod-runner/src/volumes/prepare-volumes.test.ts', on: 'ours' },
  { file: 'apps/pod-runner/src/tokens/pod-tokens.test.ts', on: 'ours' },
  { file: 'apps/virt-api/src/start-virt-api.test.ts', on: 'ours' },
  { file: 'apps/virt-api/src/renewed-certificate.test.ts', on: 'ours' },
  { file: 'apps/virt-api/src/local/serve-subresources.test.ts', on: 'ours' },
  { file: 'apps/virt-api/src/admission/chosen-machines.test.ts', on: 'ours' },
  { file: 'scenarios/a-migration-is-told-whatever-fails.test.ts', on: 'ours' },
  { file: 'scenarios/a-virtual-machine-lives.test.ts' },
  { file: 'scenarios/a-virtual-machine-lives-in-a-pod.slow.test.ts', on: 'kubernetes' },
  { file: 'scenarios/a-virtual-machine-meets-trouble.slow.test.ts', on: 'ours' },
  { file: 'scenarios/a-virtual-machine-moves-while-it-runs.test.ts', on: 'ours' },
  { file: 'scenarios/a-disk-is-plugged-into-a-running-machine.slow.test.ts', on: 'ours' },
  { file: 'scenarios/a-lost-host-gives-its-machines-up-only-when-it-is-off.slow.test.ts', on: 'ours' },
  { file: 'scenarios/the-ovs-agent-tells-the-truth.test.ts', on: 'ours' },
];
