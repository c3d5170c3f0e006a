import type { RecoveryAction } from '@smalt/instance-recovery';

import { order, type EngineContext } from '../engine-context.ts';

/** Carries out one action of a recovery. That it returns says only that the order was taken. */
export async function carryOutRecovery(
  context: Pick<EngineContext, 'ports' | 'settings'>,
  id: string,
  { kind }: RecoveryAction,
  signal: AbortSignal,
): Promise<void> {
  const { instances, moves } = context.ports.compute;
  await order(context, { what: kind }, signal, async (inner) => {
    switch (kind) {
      case 'restart':
      case 'start':
        return await instances.restart(id, inner);
      case 'move':
        return await moves.startCold(id, inner);
      case 'confirm-move':
        return await moves.confirm(id, inner);
    }
  });
}
