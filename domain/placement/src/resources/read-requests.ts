import { podKey, type Pod, type PodContainer } from '../pod.ts';
import { addAmounts, largerAmounts, readAmounts, type Amounts } from './amounts.ts';

/** The resources that a node must set aside for a pod, its place among the pods of the node included. */
export function readRequests(pod: Pod): Amounts {
  const field = `pod ${podKey(pod)}: spec`;
  const { containers, initContainers = [], overhead } = pod.spec;
  let running: Amounts = new Map();
  let atStart: Amounts = new Map();
  initContainers.forEach((container, index) => {
    const requests = requestsOf(container, `${field}.initContainers[${index}]`);
    // One that restarts stays beside all that come after it; the others each run alone with those.
    if (container.restartPolicy === 'Always') running = addAmounts(running, requests);
    atStart = largerAmounts(atStart, container.restartPolicy === 'Always' ? running : addAmounts(running, requests));
  });
  containers.forEach((container, index) => {
    running = addAmounts(running, requestsOf(container, `${field}.containers[${index}]`));
  });
  const needed = addAmounts(largerAmounts(running, atStart), readAmounts(overhead, `${field}.overhead`));
  return addAmounts(needed, new Map([['pods', 1]]));
}

function requestsOf({ resources }: PodContainer, field: string): Amounts {
  const limits = readAmounts(resources?.limits, `${field}.resources.limits`);
  const requests = readAmounts(resources?.requests, `${field}.resources.requests`);
  // What is limited but not requested is requested up to its limit: so Kubernetes defaults it.
  return new Map([...limits, ...requests]);
}
