import { mappedSource, type ControllerSource, type Informer } from '@smalt/controller-runtime';
import type { OVSNode } from '@smalt/ovs-api';

const INDEX = 'onboarding.nodeRef';

/** Finds the OVSNode of a host, and tells when its bridges change. */
export interface OvsNodes {
  readonly sources: readonly ControllerSource[];
  of(hostName: string): OVSNode | undefined;
}

/** Without an informer no host has an OVSNode. */
export function ovsNodesOf(informer: Informer<OVSNode> | undefined): OvsNodes {
  if (informer === undefined) return { sources: [], of: () => undefined };
  informer.addIndex(INDEX, ({ spec }) => [spec.nodeRef.name]);
  const changes = mappedSource(informer, ({ old, current }) => {
    // The cache shares what did not change, so counters that go up are no change here.
    const isSame = old !== undefined && current !== undefined && old.status?.bridges === current.status?.bridges;
    return isSame ? [] : [old, current].flatMap((ovsNode) => (ovsNode === undefined ? [] : hostNames(ovsNode)));
  });
  return {
    sources: [changes],
    of: (hostName) => informer.cache.byIndex(INDEX, hostName)[0] ?? informer.cache.get(hostName),
  };
}

function hostNames({ metadata, spec }: OVSNode): readonly string[] {
  return [...new Set([spec.nodeRef.name, metadata.name])];
}
