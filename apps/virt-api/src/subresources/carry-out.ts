import { isKubeError } from '@smalt/kube';
import type { Status } from '@smalt/kubernetes';
import { statusOfRefusal, type ObjectPatch, type SubresourceDecision } from '@smalt/vm-admission';

import type { ObjectName, ObjectWriter, WriteHow } from '../cluster/cluster-objects.ts';
import { refusal, statusOf } from '../virt-api-error.ts';

const UNDO_MS = 10_000;

/** What was decided about an object, and how it is to be written. */
export interface DecidedChange {
  readonly decision: SubresourceDecision;
  readonly key: ObjectName;
  /** What messages call the object: `virtualmachine` or `virtualmachineinstance`. */
  readonly kind: string;
  readonly how: WriteHow;
}

/**
 * Carries a decision out that needs nothing of a node. Resolves with whether the node has to be asked; what was refused
 * is thrown, and so is a conflict when somebody else was faster.
 */
export async function carryOut(objects: ObjectWriter, change: DecidedChange): Promise<'done' | 'forward'> {
  const { decision, key, how } = change;
  switch (decision.kind) {
    case 'refuse':
      throw refusal(statusOfRefusal(decision));
    case 'nothing':
      return 'done';
    case 'forward':
      return 'forward';
    case 'create-migration':
      await told(change, () => objects.createMigration(key.namespace, decision.spec, how));
      return 'done';
    case 'patch':
      await writeAll(objects, change, decision);
      return 'done';
  }
}

async function writeAll(
  objects: ObjectWriter,
  change: DecidedChange,
  { patches, undo }: Extract<SubresourceDecision, { readonly kind: 'patch' }>,
): Promise<void> {
  const { key, how } = change;
  let written = 0;
  try {
    for (const patch of patches) {
      await told(change, () => objects.patch(key, patch, how));
      written++;
    }
  } catch (error) {
    if (undo === undefined || written === 0 || how.dryRun) throw error;
    throw await takenBack(objects, change, undo, error);
  }
}

/** Takes the first half of a change back. The error that tells why says so too when that did not work. */
async function takenBack(
  objects: ObjectWriter,
  { key }: DecidedChange,
  undo: ObjectPatch,
  error: unknown,
): Promise<unknown> {
  try {
    // The client may be gone by now, and its guest must not keep a grace period that was meant for a stop.
    await objects.patch(key, undo, { dryRun: false, signal: AbortSignal.timeout(UNDO_MS) });
    return error;
  } catch (undoError) {
    // When its test fails somebody else has set the field since: that is theirs to keep.
    if (isKubeError(undoError, 'invalid', 'not-found')) return error;
    const why = error instanceof Error ? error.message : String(error);
    const message = `${why}; the grace period of ${key.namespace}/${key.name} was changed and could not be changed back`;
    return refusal(statusOf(500, message), { cause: undoError });
  }
}

async function told(change: DecidedChange, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const status = statusOfFailure(change, error);
    if (status === undefined) throw error;
    throw refusal(status, { cause: error });
  }
}

/** What the client is told of a write that the API did not take. */
function statusOfFailure({ kind, key }: DecidedChange, error: unknown): Status | undefined {
  if (!isKubeError(error)) return undefined;
  const details = { name: key.name, group: 'kubevirt.io', kind };
  if (error.code === 'conflict' || isFailedTest(error.status)) {
    const message = `Operation cannot be fulfilled on ${kind}.kubevirt.io "${key.name}": the object has been modified; please apply your changes to the latest version and try again`;
    return statusOf(409, message, details);
  }
  return error.status;
}

/** A patch whose tests do not hold is refused without a word about fields, unlike an object that breaks a rule. */
function isFailedTest(status: Status | undefined): boolean {
  return status?.code === 422 && status.details?.causes === undefined;
}
