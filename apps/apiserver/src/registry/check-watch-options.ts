import { forbidden, notSupported, type FieldError } from '@smalt/resource';

import { invalidError } from '../errors/make-status-error.ts';

/** Refuses combinations of watch parameters that make no sense. */
export function checkWatchOptions(options: {
  readonly resourceVersionMatch?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
}): void {
  const match = options.resourceVersionMatch ?? '';
  const errors: FieldError[] = [];
  const refuse = (detail: string): number => errors.push(forbidden('resourceVersionMatch', detail));
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    refuse('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match !== '' && options.sendInitialEvents === undefined) {
    refuse('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (match !== '' && match !== 'NotOlderThan') {
    errors.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  }
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}
