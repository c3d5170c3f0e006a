import { isKubeError, isNotFound } from '@smalt/kube';

import { SmaltError } from '../smalt-error.ts';

/** A machine, as commands name it. */
export interface MachineName {
  readonly namespace: string;
  readonly name: string;
}

/** How Kubernetes begins what is said of conflicts. */
const PREFIX = /^Operation cannot be fulfilled on \S+ "[^"]*": /;

/** Says of an error of the API which machine it is about, and what to do. */
export function explainMachineError(error: unknown, what: string, { namespace, name }: MachineName): unknown {
  if (isNotFound(error)) {
    const next = `kubectl get vms -A shows those that there are; -n chooses another namespace`;
    return new SmaltError('not-found', `there is no ${what} ${name} in ${namespace}: ${next}`, { cause: error });
  }
  if (isKubeError(error, 'conflict', 'bad-request', 'invalid')) {
    const next = `kubectl -n ${namespace} get vm,vmi ${name} shows how it is`;
    const said = (error.status?.message ?? error.message).replace(PREFIX, '');
    return new SmaltError('refused', `${what} ${name} in ${namespace}: ${said}\n${next}`, { cause: error });
  }
  return error;
}
