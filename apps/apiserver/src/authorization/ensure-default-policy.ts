import { isAlreadyExists, isConflict, isNotFound } from '../errors/status-error.ts';
import { defaultPolicy, type DefaultPolicyObject } from './default-policy.ts';
import type { PolicyAccess } from './policy-access.ts';
import { reconcilePolicyObject } from './reconcile-policy-object.ts';

const ATTEMPTS = 3;

/**
 * Makes sure that the default roles and bindings exist and grant what they are meant to. The namespace `kube-system`
 * has to exist before.
 */
export async function ensureDefaultPolicy(access: PolicyAccess, signal: AbortSignal): Promise<void> {
  // All at once, so that the store commits them together.
  await Promise.all(defaultPolicy().map((wanted) => ensureObject(access, wanted, signal)));
}

async function ensureObject(access: PolicyAccess, wanted: DefaultPolicyObject, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await tryToEnsure(access, wanted, signal);
    } catch (error) {
      const isRace = isAlreadyExists(error) || isConflict(error) || isNotFound(error);
      if (!isRace || attempt === ATTEMPTS) throw error;
    }
  }
}

async function tryToEnsure(access: PolicyAccess, wanted: DefaultPolicyObject, signal: AbortSignal): Promise<void> {
  const { plural, namespace, name, object } = wanted;
  const existing = access.get(plural, namespace, name);
  if (existing === undefined) return access.create(plural, namespace, object, signal);
  const step = reconcilePolicyObject(existing, object);
  switch (step.kind) {
    case 'keep':
      return;
    case 'update':
      return access.update(plural, namespace, step.object, signal);
    case 'replace':
      await access.delete(plural, namespace, name, signal);
      return access.create(plural, namespace, step.object, signal);
  }
}
