import {
  NodeClaim,
  type AgentIdentity,
  type Clock,
  type LeaseClient,
  type LeaseTimes,
  type LockPlace,
} from '@smalt/controller-runtime';
import type { Logger } from '@smalt/service-runtime';

export interface NodeClaimDeps {
  /** `client.resource(leaseKind)`. */
  readonly leases: LeaseClient;
  readonly nodeName: string;
  /** Where the Lease is. */
  readonly namespace: string;
  readonly identity: AgentIdentity;
  readonly lock?: LockPlace | undefined;
  readonly times?: LeaseTimes | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told why this handler does not act, if so. */
  readonly onObstacle: (reason: string | undefined) => void;
  /** Told of requests that failed; there will be others. */
  readonly onFailure: (error: unknown) => void;
}

/** The right to act on a node: of two handlers for one node, the second waits and says so. */
export function claimNode({ leases, onObstacle, ...deps }: NodeClaimDeps): NodeClaim {
  const { nodeName, logger } = deps;
  return new NodeClaim(leases, {
    ...deps,
    name: `smalt-virt-handler-${nodeName}`,
    onObstacle: (obstacle) => {
      switch (obstacle?.kind) {
        case undefined:
          onObstacle(undefined);
          return;
        case 'rival':
          logger.warn({ acting: obstacle.identity }, 'another handler acts on this node; waiting. Stop one of them');
          onObstacle(`another handler acts on this node: ${obstacle.identity}`);
          return;
        case 'refused': {
          const text = 'this handler may not keep the Lease of the node: let it get, create and update Leases';
          logger.warn({ lease: obstacle.lease, reason: obstacle.reason }, text);
          onObstacle(`${text} (${obstacle.lease})`);
        }
      }
    },
  });
}
