import type { VirtualMachineInstance } from '@smalt/vm-api';

/** What the handler of a node is asked about. */
export interface HandlerTarget {
  /** As messages call it. */
  readonly title: string;
  /** Empty where it is on no node. */
  readonly nodeName: string;
  /** Where it is in the API of handlers. */
  readonly path: string;
}

/** An instance, on the node that it runs on. */
export function instanceTarget({ metadata, status }: VirtualMachineInstance): HandlerTarget {
  const { namespace = '', name } = metadata;
  const path = ['namespaces', namespace, 'virtualmachineinstances', name].map(encodeURIComponent).join('/');
  return { title: `VMI ${namespace}/${name}`, nodeName: status?.nodeName ?? '', path };
}

/** A node itself. */
export function nodeTarget(nodeName: string): HandlerTarget {
  return { title: `the node ${nodeName}`, nodeName, path: `nodes/${encodeURIComponent(nodeName)}` };
}
