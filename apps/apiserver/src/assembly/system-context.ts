import { SYSTEM_USER } from '../identity/user.ts';
import type { WriteContext } from '../registry/write-context.ts';

/** The context of a write that the server makes by itself. */
export function systemContext(signal: AbortSignal): WriteContext {
  return {
    user: SYSTEM_USER,
    dryRun: false,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Ignore',
    duplicateFields: [],
    addWarning: () => undefined,
    authorizeCreate: () => undefined,
    signal,
  };
}
