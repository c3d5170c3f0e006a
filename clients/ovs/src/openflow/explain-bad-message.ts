import { isOpenFlowError } from '@smalt/openflow';

import { OvsError } from '../ovs-error.ts';

/** Turns bytes that are not OpenFlow, or a filter that cannot be sent, into this package's error. */
export function explainBadMessage(remote: string, error: unknown): OvsError {
  if (error instanceof OvsError) return error;
  if (isOpenFlowError(error, 'invalid-filter'))
    return new OvsError('invalid-argument', error.message, { cause: error });
  const why = error instanceof Error ? error.message : String(error);
  return new OvsError('protocol', `${remote} sent something that cannot be used: ${why}`, { cause: error });
}
