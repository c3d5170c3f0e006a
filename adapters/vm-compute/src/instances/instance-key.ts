import { ComputeError } from '@smalt/compute';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

/** Where an instance is in the API. It keeps it when it is started anew. */
export interface InstanceKey {
  readonly namespace: string;
  readonly name: string;
}

/** Reads `NAMESPACE/NAME`. Throws `not-found` for a text that nothing can be called. */
export function parseKey(text: string): InstanceKey {
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (namespace !== '' && name !== '' && rest.length === 0) return { namespace, name };
  throw new ComputeError('not-found', `${JSON.stringify(text)} is not NAMESPACE/NAME`);
}

/** Reads what the domain of an instance is called, `NAMESPACE_NAME`; undefined for those of others. */
export function keyOfDomain(domainName: string): InstanceKey | undefined {
  const [namespace = '', name = '', ...rest] = domainName.split('_');
  return namespace !== '' && name !== '' && rest.length === 0 ? { namespace, name } : undefined;
}

export function printKey({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/**
 * The id of an instance in the port: that of its machine, by which agents on hosts know it too and which it keeps
 * wherever it is started. `NAMESPACE/NAME` where there is none.
 */
export function instanceIdOf({ metadata, spec }: VirtualMachineInstance): string {
  return spec.domain.firmware?.uuid || printKey(metadata);
}

/** The id that instances of a machine have. */
export function idOfMachine({ metadata, spec }: VirtualMachine): string {
  return spec.template.spec?.domain.firmware?.uuid || printKey(metadata);
}
