import type { Fields } from '@smalt/kube';
import type { OwnerReference } from '@smalt/kubernetes';
import type { OVSNode } from '@smalt/ovs-api';

export interface ObjectFacts {
  readonly nodeName: string;
  /** The uid of the Node; undefined where there is none, or none is known. */
  readonly nodeUid: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What the OVSNode of a node has to say beside its status. */
export function wantedObject({ nodeName, nodeUid, annotations }: ObjectFacts): Fields {
  const owner = nodeUid === undefined ? undefined : ownerOf(nodeName, nodeUid);
  return {
    metadata: {
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(owner !== undefined && { ownerReferences: [owner] }),
    },
    spec: { nodeRef: { name: nodeName } },
  };
}

/** Whether an OVSNode says all of that already. */
export function isAsWanted(object: OVSNode, { nodeName, nodeUid, annotations }: ObjectFacts): boolean {
  const { metadata, spec } = object;
  const hasOwner =
    nodeUid === undefined ||
    metadata.ownerReferences?.some(({ kind, uid }) => kind === 'Node' && uid === nodeUid) === true;
  const hasAnnotations = Object.entries(annotations).every(([name, value]) => metadata.annotations?.[name] === value);
  return spec?.nodeRef?.name === nodeName && hasOwner && hasAnnotations;
}

function ownerOf(name: string, uid: string): OwnerReference {
  return { apiVersion: 'v1', kind: 'Node', name, uid };
}
