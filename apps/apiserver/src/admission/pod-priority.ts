import { forbiddenError } from '../errors/make-status-error.ts';
import { textAt } from '../identity/object-fields.ts';
import type { LiveObjects } from '../identity/live-objects.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import type { AdmissionStep } from './admission-chain.ts';
import { newPodSpec } from './new-pod.ts';
import { reviewedName } from './reviewed-name.ts';

/** Classes that every Kubernetes has; here nobody has to make them. */
const SYSTEM_CLASSES: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

/**
 * Refuses a new pod whose priority class does not exist, as the plugin Priority of Kubernetes does, also when a webhook chose
 * the class. Not done: the pod gets neither the numbers of its class nor the class that is the default of all, because no pod
 * comes before another one here.
 */
export function podPriority(classes: LiveObjects): AdmissionStep {
  const check = (review: AdmissionReview): void => checkPriorityClass(classes, review);
  return {
    mutate(review) {
      check(review);
      return review.object;
    },
    validate: check,
  };
}

function checkPriorityClass(classes: LiveObjects, review: AdmissionReview): void {
  const name = textAt(newPodSpec(review) ?? {}, 'priorityClassName');
  if (name === '' || SYSTEM_CLASSES.has(name)) return;
  if (classes.get('priorityclasses.scheduling.k8s.io', `/${name}`) !== undefined) return;
  throw forbiddenError(review.resource, reviewedName(review), `no PriorityClass with name ${name} was found`);
}
