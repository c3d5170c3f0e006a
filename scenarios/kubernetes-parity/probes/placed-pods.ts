import { post, probe, type Probe } from '../probe.ts';
import { PODS } from '../paths.ts';
import { pod } from '../sample-objects.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const SPREAD = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const LIKE_IT = { ...SPREAD, matchLabelKeys: ['app', 'none'], labelSelector: {} };
const UNLIKE_IT = { topologyKey: 'zone', mismatchLabelKeys: ['app'], labelSelector: { matchLabels: { a: 'b' } } };
const WEB = { labels: { app: 'web' } };

/** How pods that say where they want to be are taken, or refused. */
export const placedPodProbes: readonly Probe[] = [
  probe(
    'a pod that is to be spread in ways that mean nothing',
    post(PODS, pod('a', { topologySpreadConstraints: [{}] })),
    post(PODS, pod('a', { topologySpreadConstraints: [SPREAD, { ...SPREAD, maxSkew: 2 }] })),
    post(
      PODS,
      pod('a', {
        topologySpreadConstraints: [
          { ...SPREAD, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 0, matchLabelKeys: ['app'] },
          {
            ...SPREAD,
            nodeAffinityPolicy: 'Never',
            nodeTaintsPolicy: 'Odd',
            labelSelector: { matchExpressions: [{ key: 'app', operator: 'In' }] },
          },
        ],
      }),
    ),
  ),
  probe(
    'a pod that selects others by its own labels',
    post(
      PODS,
      pod(
        'a',
        { topologySpreadConstraints: [LIKE_IT], affinity: { podAntiAffinity: { [REQUIRED]: [UNLIKE_IT] } } },
        WEB,
      ),
    ),
  ),
  probe(
    'a pod that selects others by one of its labels twice',
    post(
      PODS,
      pod('a', { topologySpreadConstraints: [{ ...LIKE_IT, labelSelector: { matchLabels: WEB.labels } }] }, WEB),
    ),
    post(
      PODS,
      pod('a', { affinity: { podAffinity: { [REQUIRED]: [{ ...UNLIKE_IT, matchLabelKeys: ['app'] }] } } }, WEB),
    ),
  ),
];
